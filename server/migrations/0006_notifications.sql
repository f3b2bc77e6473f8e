-- Where push goes, what people want to be told, and what waits to go.

-- Secrets that the nodes of a service share, encrypted with a key that is not in the database.
create table kept_keys (
  name text primary key,
  sealed bytea not null
);

create table push_subscriptions (
  id uuid primary key,
  -- One device, one session, one subscription.
  session_id uuid not null references sessions on delete cascade,
  user_id uuid not null references users on delete cascade,
  endpoint text not null check (char_length(endpoint) <= 2048),
  p256dh text not null,
  auth text not null,
  updated_at timestamptz(3) not null,
  -- Since when nothing could be delivered.
  failing_since timestamptz(3)
);
create unique index push_subscriptions_session_key on push_subscriptions (session_id);
-- A device is told the things of one person only, whoever used it before.
create unique index push_subscriptions_endpoint_key on push_subscriptions (endpoint);
-- The devices of those who are to be told.
create index push_subscriptions_user_id_idx on push_subscriptions (user_id, updated_at);

-- A session ends in many ways: its device is told nothing more in all of them.
create function forget_push_subscription() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions where session_id = new.id;
  return null;
end
$$;
create trigger sessions_forget_push_subscription after update of ended_at on sessions
  for each row when (new.ended_at is not null) execute function forget_push_subscription();

-- Of whoever has none, everything is told at any hour.
create table notification_preferences (
  user_id uuid primary key references users on delete cascade,
  new_ping boolean not null default true,
  ping_activated boolean not null default true,
  ping_response boolean not null default true,
  message boolean not null default true,
  friend_request boolean not null default true,
  hide_details boolean not null default false,
  quiet_from text,
  quiet_to text,
  time_zone text,
  check (num_nulls(quiet_from, quiet_to, time_zone) in (0, 3))
);

-- Goes with the membership.
create table chat_mutes (
  user_id uuid not null,
  chat_id uuid not null,
  -- Null: for good.
  muted_until timestamptz(3),
  primary key (user_id, chat_id),
  foreign key (chat_id, user_id) references chat_members on delete cascade
);
create index chat_mutes_chat_idx on chat_mutes (chat_id, user_id);

-- Pushes waiting to go. Each names what it is about and nothing of what it says, which is decided as it goes.
create table push_deliveries (
  id uuid primary key,
  subscription_id uuid not null references push_subscriptions on delete cascade,
  kind text not null
    check (kind in ('new_ping', 'ping_activated', 'ping_response', 'message', 'friend_request', 'test')),
  -- What takes one another's place has the same.
  tag text not null check (char_length(tag) <= 100),
  ping_id uuid references location_pins on delete cascade,
  responder_id uuid references users on delete cascade,
  chat_id uuid references chats on delete cascade,
  request_id uuid references friend_requests on delete cascade,
  happened_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  -- Given up after it.
  expires_at timestamptz(3) not null,
  attempts integer not null default 0,
  -- Counts up with each event that joins it, so that one that joins while it is being sent is not taken for sent.
  asked integer not null default 1,
  check (case kind
    when 'new_ping' then ping_id is not null
    when 'ping_activated' then ping_id is not null
    when 'ping_response' then ping_id is not null and responder_id is not null
    when 'message' then chat_id is not null
    when 'friend_request' then request_id is not null
    else true
  end)
);
-- One of a kind to a device; and those of a device.
create unique index push_deliveries_tag_key on push_deliveries (subscription_id, tag);
-- The next to go.
create index push_deliveries_due_at_idx on push_deliveries (due_at);
-- The ones given up.
create index push_deliveries_expires_at_idx on push_deliveries (expires_at);
-- Those that go with what they are about.
create index push_deliveries_ping_idx on push_deliveries (ping_id) where ping_id is not null;
create index push_deliveries_responder_idx on push_deliveries (responder_id) where responder_id is not null;
create index push_deliveries_chat_idx on push_deliveries (chat_id) where chat_id is not null;
create index push_deliveries_request_idx on push_deliveries (request_id) where request_id is not null;
