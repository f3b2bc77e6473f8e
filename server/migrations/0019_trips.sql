-- Trips: arrival times that people who are going to a ping share.

-- A row is deleted the moment its trip ends. Backups contain no rows of this table.
create table ping_trips (
  ping_id uuid not null references location_pins on delete cascade,
  user_id uuid not null references users on delete cascade,
  -- The session that last wrote the trip.
  session_id uuid not null references sessions on delete cascade,
  state text not null check (state in ('en_route', 'arrived')),
  arrives_at timestamptz(3) not null,
  -- Identifies the trip: a trip that is started again has another time.
  started_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (ping_id, user_id)
);
-- Serves the export, the erasure of an account and the end of a friendship.
create index ping_trips_user_id_idx on ping_trips (user_id);
-- Serves the end of a session.
create index ping_trips_session_id_idx on ping_trips (session_id);
-- Serves the job that ends trips whose arrival time has long passed.
create index ping_trips_arrives_at_idx on ping_trips (arrives_at) where state = 'en_route';

-- Whether the owner of the ping was notified of a trip and of an arrival of this person: at most once of each.
alter table ping_responses
  add column is_trip_notified boolean not null default false,
  add column is_arrival_notified boolean not null default false;

alter table notification_preferences add column ping_trip boolean not null default true;

-- What a push about a trip reports. It is sent only while this is the state of the trip.
alter table push_deliveries add column trip_state text check (trip_state in ('en_route', 'arrived'));
alter table push_deliveries drop constraint push_deliveries_kind_check;
alter table push_deliveries add constraint push_deliveries_kind_check check (kind in (
  'new_ping', 'ping_activated', 'ping_changed', 'ping_reminder', 'ping_response', 'ping_trip', 'message',
  'friend_request', 'test'));
alter table push_deliveries drop constraint push_deliveries_check;
alter table push_deliveries add constraint push_deliveries_check check (case kind
  when 'new_ping' then ping_id is not null
  when 'ping_activated' then ping_id is not null
  when 'ping_changed' then ping_id is not null
  when 'ping_reminder' then ping_id is not null
  when 'ping_response' then ping_id is not null
  when 'ping_trip' then num_nonnulls(ping_id, responder_id, trip_state) = 3
  when 'message' then chat_id is not null
  when 'friend_request' then num_nonnulls(request_id, friendship_id) = 1
  else true
end);
