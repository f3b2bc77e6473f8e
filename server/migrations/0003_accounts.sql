-- Sign-ups that wait for their mail, tokens that go by mail, identities of other providers, mail on its way.

-- For people, such as "Firefox on Windows".
alter table sessions add column device text check (char_length(device) <= 100);
-- Hourly: the sessions that are over.
create index sessions_expires_at_idx on sessions (expires_at);

-- Sessions of erased accounts, by nothing but their id, for as long as an access token of theirs may still look good.
create table revoked_sessions (
  session_id uuid primary key,
  revoked_at timestamptz(3) not null
);
-- At start, and hourly: the latest, and those that may go.
create index revoked_sessions_revoked_at_idx on revoked_sessions (revoked_at);

-- Not accounts yet: nobody finds them, and nothing depends on whether the address already has an account. Several may wait
-- for one address, so that a stranger's attempt takes nothing from its owner's.
create table signups (
  id uuid primary key,
  email text not null,
  username text not null check (username ~ '^[A-Za-z0-9_.-]{2,30}$'),
  password_hash text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
-- The latest sign-up with an address, and all of them once one is confirmed.
create index signups_email_idx on signups (lower(email), created_at desc);
-- Is a name held by a sign-up?
create index signups_username_idx on signups (lower(username));
-- Hourly: those that were never confirmed.
create index signups_expires_at_idx on signups (expires_at);

-- What the links of mails hold.
create table mail_tokens (
  -- SHA-256 of the token: a copy of the database confirms and resets nothing.
  token_hash bytea primary key,
  purpose text not null check (purpose in ('confirm', 'reset')),
  user_id uuid references users on delete cascade,
  signup_id uuid references signups on delete cascade,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  check (num_nonnulls(user_id, signup_id) = 1),
  check (purpose = 'confirm' or user_id is not null)
);
-- Erased with their account, and when its password changes.
create index mail_tokens_user_id_idx on mail_tokens (user_id) where user_id is not null;
create index mail_tokens_signup_id_idx on mail_tokens (signup_id) where signup_id is not null;
-- Hourly: those that were never used.
create index mail_tokens_expires_at_idx on mail_tokens (expires_at);

create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz(3) not null,
  primary key (issuer, subject)
);
-- A person's identities.
create index identities_user_id_idx on identities (user_id);

-- Mail waiting to go. It names whom it is for and what it says; address and token are put in as it goes, so none waits here.
-- A mail asked for an unknown address is a row too, for nobody: to write it takes as long as any other.
create table deliveries (
  id uuid primary key,
  template text not null check (template in ('confirm', 'reset')),
  user_id uuid references users on delete cascade,
  signup_id uuid references signups on delete cascade,
  created_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  attempts integer not null default 0
);
-- The next to go.
create index deliveries_due_at_idx on deliveries (due_at);
-- The ones given up.
create index deliveries_created_at_idx on deliveries (created_at);
-- Erased with their account or sign-up.
create index deliveries_user_id_idx on deliveries (user_id) where user_id is not null;
create index deliveries_signup_id_idx on deliveries (signup_id) where signup_id is not null;
