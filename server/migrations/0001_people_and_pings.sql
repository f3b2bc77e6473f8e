-- People, their sessions, who is friends with whom, and pings.
-- Ids are UUIDv7 made by the server, so that primary keys grow at one end. Times have milliseconds, as on the wire.

create table users (
  id uuid primary key,
  email text not null,
  username text not null check (username ~ '^[A-Za-z0-9_.-]{2,30}$'),
  -- Null for an account that signs in with an identity provider only.
  password_hash text,
  email_confirmed_at timestamptz(3),
  has_image boolean not null default false,
  auto_join_chats boolean not null default true,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
-- Sign-in, and one account an address.
create unique index users_email_key on users (lower(email));
-- Look-up by name, and one owner a name.
create unique index users_username_key on users (lower(username));

-- A session is a family of refresh tokens: one sign-in on one device.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3)
);
-- The devices of a person, and all of them ended at once.
create index sessions_user_id_idx on sessions (user_id);
-- At start: the sessions ended so lately that an access token of theirs may still look good.
create index sessions_ended_at_idx on sessions (ended_at) where ended_at is not null;

create table refresh_tokens (
  -- SHA-256 of the token: a copy of the database signs nobody in.
  token_hash bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  created_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index refresh_tokens_session_id_idx on refresh_tokens (session_id);

create table friend_requests (
  id uuid primary key,
  from_user_id uuid not null references users on delete cascade,
  to_user_id uuid not null references users on delete cascade,
  created_at timestamptz(3) not null,
  check (from_user_id <> to_user_id)
);
-- One waiting request between two people, whoever asked: an answered one is no longer a row.
create unique index friend_requests_pair_key
  on friend_requests (least(from_user_id, to_user_id), greatest(from_user_id, to_user_id));
-- Requests sent, and requests received, newest first.
create index friend_requests_from_idx on friend_requests (from_user_id, created_at desc);
create index friend_requests_to_idx on friend_requests (to_user_id, created_at desc);

create table friendships (
  id uuid primary key,
  requester_id uuid not null references users on delete cascade,
  requested_id uuid not null references users on delete cascade,
  created_at timestamptz(3) not null,
  check (requester_id <> requested_id)
);
-- One friendship between two people.
create unique index friendships_pair_key
  on friendships (least(requester_id, requested_id), greatest(requester_id, requested_id));
-- A person's friends, from either side.
create index friendships_requester_idx on friendships (requester_id, requested_id);
create index friendships_requested_idx on friendships (requested_id, requester_id);

create table blocks (
  blocker_id uuid not null references users on delete cascade,
  blocked_id uuid not null references users on delete cascade,
  created_at timestamptz(3) not null,
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
-- Has that person blocked me?
create index blocks_blocked_idx on blocks (blocked_id, blocker_id);

create table location_pins (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null check (char_length(name) between 1 and 50),
  message text check (char_length(message) <= 500),
  address text check (char_length(address) <= 300),
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  is_public boolean not null,
  responses_visible boolean not null,
  has_image boolean not null default false,
  created_at timestamptz(3) not null,
  activates_at timestamptz(3),
  expires_at timestamptz(3) not null,
  -- What has been told live: only the announcing job reads and moves it. A ping's status is always computed from the clock.
  announced_status text not null check (announced_status in ('pending', 'active', 'expired')),
  check (expires_at > coalesce(activates_at, created_at))
);
-- A person's own pings, and how many have not expired.
create index location_pins_user_id_idx on location_pins (user_id, expires_at);
-- The next activations and expiries to announce.
create index location_pins_to_activate_idx on location_pins (activates_at) where announced_status = 'pending';
create index location_pins_to_expire_idx on location_pins (expires_at) where announced_status <> 'expired';
-- The expired ones that have been kept long enough.
create index location_pins_to_erase_idx on location_pins (expires_at) where announced_status = 'expired';

create table ping_recipients (
  id uuid primary key,
  ping_id uuid not null references location_pins on delete cascade,
  recipient_id uuid not null references users on delete cascade,
  -- Copied from the ping, which never changes it unannounced, so that the pings a person is invited to are found without the expired ones.
  expires_at timestamptz(3) not null,
  has_seen boolean not null default false
);
-- Who is invited to a ping; each person once.
create unique index ping_recipients_ping_key on ping_recipients (ping_id, recipient_id);
-- The unexpired pings a person is invited to.
create index ping_recipients_recipient_idx on ping_recipients (recipient_id, expires_at);

create table ping_responses (
  ping_id uuid not null references location_pins on delete cascade,
  user_id uuid not null references users on delete cascade,
  response_type text not null check (response_type in ('accepted', 'tentative', 'declined')),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (ping_id, user_id)
);
-- A person's own responses, erased with their account.
create index ping_responses_user_id_idx on ping_responses (user_id);
