-- Links and QR codes with which users become friends of the person who created them.

create table friend_links (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('qr', 'link')),
  -- SHA-256 of the secret in the URL.
  code_hash bytea not null,
  requires_approval boolean not null,
  uses_max smallint not null check (uses_max > 0),
  uses_left smallint not null check (uses_left between 0 and uses_max),
  note text not null check (char_length(note) <= 100),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3)
);
-- Serves the look-up of a code.
create unique index friend_links_code_key on friend_links (code_hash);
-- Serves the list of a user, and the oldest QR codes of a user.
create index friend_links_user_idx on friend_links (user_id, created_at);
-- Serves the hourly deletion.
create index friend_links_expires_at_idx on friend_links (expires_at);
create index friend_links_revoked_at_idx on friend_links (revoked_at) where revoked_at is not null;

-- The people whom a link has connected with its creator. The use of a deleted account keeps only its time.
create table friend_link_uses (
  id uuid primary key,
  link_id uuid not null references friend_links on delete cascade,
  user_id uuid references users on delete set null,
  used_at timestamptz(3) not null,
  -- Whether the account was created with the link.
  signed_up boolean not null
);
-- A user uses a link once.
create unique index friend_link_uses_key on friend_link_uses (link_id, user_id);
-- Serves the deletion of an account, and its export.
create index friend_link_uses_user_idx on friend_link_uses (user_id) where user_id is not null;

-- A sign-up that waits for its mail is connected when its account is created.
alter table signups add column friend_link_id uuid references friend_links on delete set null;
create index signups_friend_link_idx on signups (friend_link_id) where friend_link_id is not null;
-- Remains true if the link is invalid or deleted, so that the new user learns about it.
alter table signups add column has_friend_code boolean not null default false;

-- The number of accounts that each user may create with friend links in 30 days, in the mode `invite`.
alter table registration add column member_invites smallint not null default 0 check (member_invites in (0, 3, 10, 50));

alter table push_deliveries add column friendship_id uuid references friendships on delete cascade;
create index push_deliveries_friendship_idx on push_deliveries (friendship_id) where friendship_id is not null;
alter table push_deliveries drop constraint push_deliveries_check;
alter table push_deliveries add constraint push_deliveries_check check (case kind
  when 'new_ping' then ping_id is not null
  when 'ping_activated' then ping_id is not null
  when 'ping_response' then ping_id is not null and responder_id is not null
  when 'message' then chat_id is not null
  when 'friend_request' then num_nonnulls(request_id, friendship_id) = 1
  else true
end);
