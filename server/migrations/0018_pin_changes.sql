-- Changes of pings: edited fields, more invitees, removed invitees, cancellations and reminders.

alter table location_pins
  -- The time of the last change of the ping, its invitees or its picture. Later with each change.
  add column updated_at timestamptz(3),
  -- How often the place or the start has changed, and at which of these changes each of them did last.
  add column revision integer not null default 0,
  add column place_revision integer not null default 0,
  add column time_revision integer not null default 0,
  -- How often the place has changed while the ping was active.
  add column moves smallint not null default 0,
  add column canceled_at timestamptz(3),
  add column cancel_message text check (char_length(cancel_message) <= 200),
  -- The end that a canceled ping would have had, for its calendar entry.
  add column planned_expires_at timestamptz(3),
  -- Whether the ping was sent to all friends when it was created.
  add column invited_all boolean not null default false,
  -- When the reminder of the current start was sent, or when it was decided that there is none.
  add column reminded_at timestamptz(3);

update location_pins set updated_at = created_at;
alter table location_pins alter column updated_at set not null;
-- There is no reminder of a start that was close when the ping was scheduled, or that is close now.
update location_pins set reminded_at = created_at
where announced_status = 'pending'
  and (activates_at < created_at + interval '20 minutes' or activates_at <= now() + interval '15 minutes');

-- A scheduled ping may be canceled before its start.
alter table location_pins drop constraint location_pins_ends_after_start;
alter table location_pins add constraint location_pins_ends_after_start
  check (canceled_at is not null or expires_at >= coalesce(activates_at, created_at));

-- Serves the next reminders.
create index location_pins_to_remind_idx on location_pins (activates_at)
  where announced_status = 'pending' and reminded_at is null;

-- The revision of the ping that the person saw when responding.
alter table ping_responses add column revision integer not null default 0;
alter table ping_guests add column revision integer not null default 0;
-- The time of the last notification of the person about a change of the ping.
alter table ping_responses add column change_pushed_at timestamptz(3);
alter table ping_guests add column change_pushed_at timestamptz(3);

alter table notification_preferences add column ping_changed boolean not null default true;
alter table notification_preferences add column ping_reminder boolean not null default true;

alter table push_deliveries drop constraint push_deliveries_kind_check;
alter table push_deliveries add constraint push_deliveries_kind_check check (kind in (
  'new_ping', 'ping_activated', 'ping_changed', 'ping_reminder', 'ping_response', 'message', 'friend_request', 'test'));
alter table push_deliveries drop constraint push_deliveries_check;
alter table push_deliveries add constraint push_deliveries_check check (case kind
  when 'new_ping' then ping_id is not null
  when 'ping_activated' then ping_id is not null
  when 'ping_changed' then ping_id is not null
  when 'ping_reminder' then ping_id is not null
  when 'ping_response' then ping_id is not null
  when 'message' then chat_id is not null
  when 'friend_request' then num_nonnulls(request_id, friendship_id) = 1
  else true
end);
