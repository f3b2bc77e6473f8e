-- A kind of notification is one file of the server. What a push is about and which kinds a user has switched are data, so that a
-- new kind needs no column and no list here.

-- Names what a push is about, in the form of its kind. It has no foreign keys: whether the receiver may still see it is decided
-- when the push is sent, and an expired push is deleted.
alter table push_deliveries add column subject jsonb not null default '{}';
update push_deliveries set subject = jsonb_strip_nulls(jsonb_build_object(
  'ping_id', ping_id, 'responder_id', responder_id, 'conversation_id', chat_id, 'message_id', message_id,
  'request_id', request_id, 'friendship_id', friendship_id, 'state', trip_state, 'change', security_event));

create or replace function forget_push_subscription() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions s where s.session_id = new.id and not exists (
    select 1 from push_deliveries d
    where d.subscription_id = s.id and d.kind = 'security'
      and d.subject->>'change' in ('password_changed', 'password_reset') and d.happened_at = new.ended_at);
  delete from push_deliveries d using push_subscriptions s
  where s.session_id = new.id and d.subscription_id = s.id
    and (d.kind <> 'security' or d.subject->>'change' not in ('password_changed', 'password_reset'));
  return null;
end
$$;

alter table push_deliveries drop constraint push_deliveries_check, drop constraint push_deliveries_kind_check;
alter table push_deliveries
  drop column ping_id, drop column responder_id, drop column chat_id, drop column message_id, drop column request_id,
  drop column friendship_id, drop column trip_state, drop column security_event;

-- The switches that differ from the default of their kind, as {"kind": boolean}.
alter table notification_preferences add column switches jsonb not null default '{}';
update notification_preferences p set switches = coalesce((
  select jsonb_object_agg(s.kind, s.is_on)
  from (values
    ('new_ping', p.new_ping, true), ('ping_activated', p.ping_activated, true), ('ping_changed', p.ping_changed, true),
    ('ping_reminder', p.ping_reminder, true), ('ping_response', p.ping_response, true), ('ping_trip', p.ping_trip, true),
    ('message', p.message, true), ('message_reaction', p.message_reaction, false), ('friend_request', p.friend_request, true)
  ) as s (kind, is_on, by_default)
  where s.is_on <> s.by_default), '{}');
alter table notification_preferences
  drop column new_ping, drop column ping_activated, drop column ping_changed, drop column ping_reminder,
  drop column ping_response, drop column ping_trip, drop column message, drop column message_reaction,
  drop column friend_request;
