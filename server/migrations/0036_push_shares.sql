-- Pushes are sent in turns by person, and slow devices on lanes of their own, so that no device delays those of other people.

-- The owner of the device, repeated here so that an index finds the next person with a due push. It has no foreign key: the
-- push is deleted with its device, and the device with its owner. A trigger sets it, because nodes of the previous version
-- insert pushes too while they are replaced.
alter table push_deliveries add column user_id uuid;
update push_deliveries d set user_id = s.user_id from push_subscriptions s where s.id = d.subscription_id;
alter table push_deliveries alter column user_id set not null;
create function set_push_owner() returns trigger language plpgsql as $$
begin
  select user_id into new.user_id from push_subscriptions where id = new.subscription_id;
  return new;
end
$$;
create trigger push_deliveries_owner before insert on push_deliveries for each row execute function set_push_owner();

-- Serves `claimPushes`: the next person with a due push, and of that person the oldest push.
create index push_deliveries_turn_idx on push_deliveries (user_id, due_at, subscription_id);
-- Serves `claimSecurityPushes`.
create index push_deliveries_security_idx on push_deliveries (due_at) where kind = 'security';

-- Whether the last answer of the device's push service took too long.
alter table push_subscriptions add column is_slow boolean not null default false;
