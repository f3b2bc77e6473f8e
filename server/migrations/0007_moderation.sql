-- Who runs the service, what people report, who is shut out, and who may come in.

create table admins (
  user_id uuid primary key references users on delete cascade,
  appointed_at timestamptz(3) not null
);

-- Each makes whoever knows it the first admin; all of them go once there is one.
create table admin_codes (
  -- SHA-256 of the code: a copy of the database makes nobody an admin.
  code_hash bytea primary key,
  expires_at timestamptz(3) not null
);

-- One row: whether everyone may sign up, whoever has an invitation, or nobody.
create table registration (
  is_only boolean primary key default true check (is_only),
  mode text not null default 'open' check (mode in ('open', 'invite', 'closed'))
);
insert into registration default values;

create table invitations (
  id uuid primary key,
  -- SHA-256 of the code in the link.
  code_hash bytea not null,
  -- For whoever made it: whom it is for.
  note text not null check (char_length(note) <= 100),
  uses_max integer not null check (uses_max > 0),
  uses_left integer not null check (uses_left between 0 and uses_max),
  created_by uuid references users on delete set null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
-- Whoever comes with a link.
create unique index invitations_code_key on invitations (code_hash);
-- Those that an admin made, when their account goes.
create index invitations_created_by_idx on invitations (created_by) where created_by is not null;
-- Hourly: those that were over long ago.
create index invitations_expires_at_idx on invitations (expires_at);

-- A sign-up that waits for its mail is let in as its account is made, not before.
alter table signups add column invitation_id uuid references invitations on delete set null;
create index signups_invitation_idx on signups (invitation_id) where invitation_id is not null;

create table suspensions (
  user_id uuid primary key references users on delete cascade,
  reason text not null check (char_length(reason) <= 500),
  suspended_at timestamptz(3) not null,
  -- Null: for good.
  suspended_until timestamptz(3)
);
-- Hourly: those that are over.
create index suspensions_until_idx on suspensions (suspended_until) where suspended_until is not null;

-- A report holds what it is about as it was then, for admins alone, whatever has become of it since: but not longer than the
-- account that it is about, and not for ever.
create table reports (
  id uuid primary key,
  -- Null: has deleted their account.
  reporter_id uuid references users on delete set null,
  subject text not null check (subject in ('user', 'ping', 'message', 'profile_image', 'pin_image')),
  subject_id uuid not null,
  reason text not null,
  text text check (char_length(text) <= 1000),
  created_at timestamptz(3) not null,
  -- Whose it is. Null for the message of someone who had deleted their account.
  user_id uuid references users on delete cascade,
  username text not null,
  name text,
  content text,
  address text,
  latitude double precision,
  longitude double precision,
  made_at timestamptz(3),
  -- A copy of the picture, and the hash of the one it was made of.
  picture_storage_key text,
  picture_hash text,
  picture_bytes integer,
  check (num_nulls(picture_storage_key, picture_hash, picture_bytes) in (0, 3)),
  outcome text not null default 'open' check (outcome in ('open', 'dismissed', 'deleted', 'suspended')),
  handled_by uuid references users on delete set null,
  handled_at timestamptz(3),
  check ((outcome = 'open') = (handled_at is null)),
  erase_at timestamptz(3) not null
);
-- One open report of a thing by a person; and a person's own, when their account goes.
create unique index reports_open_key on reports (reporter_id, subject, subject_id) where outcome = 'open';
create index reports_reporter_idx on reports (reporter_id) where reporter_id is not null;
-- All open ones of one thing.
create index reports_subject_idx on reports (subject_id) where outcome = 'open';
-- Those about a person.
create index reports_user_idx on reports (user_id) where user_id is not null;
-- The pages of open and of handled ones.
create index reports_open_idx on reports (id) where outcome = 'open';
create index reports_handled_idx on reports (id) where outcome <> 'open';
create index reports_handled_by_idx on reports (handled_by) where handled_by is not null;
-- Hourly: those to erase.
create index reports_erase_at_idx on reports (erase_at);

-- A report's row goes in several ways: its picture goes with it in all of them.
create function erase_report_picture() returns trigger language plpgsql as $$
begin
  insert into erasures (storage_key) values (old.picture_storage_key) on conflict do nothing;
  return null;
end
$$;
create trigger reports_erase_picture after delete on reports
  for each row when (old.picture_storage_key is not null) execute function erase_report_picture();

-- What somebody wrote to the admins goes with their account; what they reported still has to be looked at.
create function forget_reporter() returns trigger language plpgsql as $$
begin
  new.text := null;
  return new;
end
$$;
create trigger reports_forget_reporter before update of reporter_id on reports
  for each row when (new.reporter_id is null) execute function forget_reporter();

-- Everything that admins do. Names nobody who has deleted their account.
create table admin_actions (
  id uuid primary key,
  admin_id uuid references users on delete set null,
  action text not null check (action in (
    'claim', 'appoint', 'dismiss_admin', 'dismiss_report', 'delete_reported', 'suspend', 'lift', 'set_registration',
    'create_invitation', 'revoke_invitation')),
  -- To whom.
  user_id uuid references users on delete set null,
  report_id uuid references reports on delete set null,
  note text,
  acted_at timestamptz(3) not null
);
create index admin_actions_admin_idx on admin_actions (admin_id) where admin_id is not null;
create index admin_actions_user_idx on admin_actions (user_id) where user_id is not null;
create index admin_actions_report_idx on admin_actions (report_id) where report_id is not null;

-- What an admin noted of somebody goes with that account.
create function forget_admin_note() returns trigger language plpgsql as $$
begin
  new.note := null;
  return new;
end
$$;
create trigger admin_actions_forget_note before update of user_id on admin_actions
  for each row when (new.user_id is null and old.user_id is not null) execute function forget_admin_note();

-- The pages of people by name, and those whose name begins with what an admin looks for.
create index users_name_idx on users ((lower(username) collate "C"));
