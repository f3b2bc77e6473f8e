-- A changed or reset password is pushed to the devices that it signs out. This is the last push to each of them: it keeps the
-- subscription until it is sent or outdated, and the server deletes both together.

-- At the end of the transaction, when the pushes of the change have been inserted.
drop trigger sessions_forget_push_subscription on sessions;
create or replace function forget_push_subscription() returns trigger language plpgsql as $$
begin
  delete from push_subscriptions s where s.session_id = new.id and not exists (
    select 1 from push_deliveries d
    where d.subscription_id = s.id and d.security_event in ('password_changed', 'password_reset')
      and d.happened_at = new.ended_at);
  delete from push_deliveries d using push_subscriptions s
  where s.session_id = new.id and d.subscription_id = s.id
    and (d.security_event is null or d.security_event not in ('password_changed', 'password_reset'));
  return null;
end
$$;
create constraint trigger sessions_forget_push_subscription after update of ended_at on sessions
  deferrable initially deferred
  for each row when (new.ended_at is not null) execute function forget_push_subscription();
