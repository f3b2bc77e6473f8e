-- Guests: people who respond to a public ping without being invited.

alter table location_pins add column guest_policy text not null default 'off'
  check (guest_policy in ('off', 'open', 'approval'));
-- How many guests the ping has had, also those who are gone.
alter table location_pins add column guests_created smallint not null default 0;
-- The time of the last or next notification of the owner about guests.
alter table location_pins add column guests_push_at timestamptz(3);

create table ping_guests (
  id uuid primary key,
  ping_id uuid not null references location_pins on delete cascade,
  user_id uuid references users on delete cascade,
  name text check (char_length(name) between 1 and 30),
  response_type text not null check (response_type in ('accepted', 'tentative', 'declined')),
  -- A removed guest is stored without name, so that the same token or account cannot respond again.
  state text not null check (state in ('waiting', 'approved', 'removed')),
  -- SHA-256 of the token. The token of a claimed response is stored too, so that a repeated claim succeeds.
  token_hash bytea,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check (num_nonnulls(name, user_id) = 1 or (state = 'removed' and num_nonnulls(name, user_id) = 0))
);
-- Serves the look-up of a token, and a token responds once.
create unique index ping_guests_token_key on ping_guests (ping_id, token_hash);
-- Serves the look-up of an account, and an account responds once.
create unique index ping_guests_person_key on ping_guests (ping_id, user_id);
-- Serves the guests of a ping.
create index ping_guests_ping_idx on ping_guests (ping_id);
-- Serves the deletion of an account, and its export.
create index ping_guests_user_idx on ping_guests (user_id) where user_id is not null;

-- The token of a guest's response that became the response of an invitee, so that a repeated claim succeeds.
alter table ping_responses add column claimed_token_hash bytea;

-- A guest who is claimed or removed keeps the row: its tombstone names the form that the row had before, so that a restore
-- of a later backup keeps the row.
create function remember_guest() returns trigger language plpgsql as $$
declare
  form text := case when old.state = 'removed' then 'removed' when old.user_id is null then 'name' else 'account' end;
begin
  if tg_op = 'DELETE' then
    insert into tombstones (kind, id_hash) values ('ping_guests', hash_of_id(old.id::text)) on conflict do nothing;
  elsif (new.state = 'removed' and old.state <> 'removed') or (new.user_id is not null and old.user_id is null) then
    insert into tombstones (kind, id_hash) values ('ping_guests', hash_of_id(old.id || '/' || form))
      on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger ping_guests_remember_erased after delete or update of state, user_id on ping_guests
  for each row execute function remember_guest();

alter table reports drop constraint reports_subject_check;
alter table reports add constraint reports_subject_check
  check (subject in ('user', 'ping', 'message', 'profile_image', 'pin_image', 'guest'));

-- A push about the guests of a ping names no responder.
alter table push_deliveries drop constraint push_deliveries_check;
alter table push_deliveries add constraint push_deliveries_check check (case kind
  when 'new_ping' then ping_id is not null
  when 'ping_activated' then ping_id is not null
  when 'ping_response' then ping_id is not null
  when 'message' then chat_id is not null
  when 'friend_request' then num_nonnulls(request_id, friendship_id) = 1
  else true
end);
