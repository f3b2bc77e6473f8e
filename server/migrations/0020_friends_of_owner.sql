-- Whether an invitee and a person who responded are friends of the owner. Everybody else neither sees the ping nor is shown
-- in it. Stored with each row, so that a list of pings does not look up a friendship for each of its people.

alter table ping_recipients add column is_friend boolean not null default true;
alter table ping_responses add column is_friend boolean not null default true;

update ping_recipients r set is_friend = false
from location_pins p
where p.id = r.ping_id and not exists (
  select 1 from friendships f
  where least(f.requester_id, f.requested_id) = least(p.user_id, r.recipient_id)
    and greatest(f.requester_id, f.requested_id) = greatest(p.user_id, r.recipient_id));
update ping_responses v set is_friend = false
from location_pins p
where p.id = v.ping_id and not exists (
  select 1 from friendships f
  where least(f.requester_id, f.requested_id) = least(p.user_id, v.user_id)
    and greatest(f.requester_id, f.requested_id) = greatest(p.user_id, v.user_id));

-- A trigger covers every way in which a friendship begins or ends, a restored backup included.
create function mark_friends_of_owners() returns trigger language plpgsql as $$
declare
  pair uuid[] := case tg_op when 'INSERT' then array[new.requester_id, new.requested_id]
    else array[old.requester_id, old.requested_id] end;
begin
  update ping_recipients r set is_friend = (tg_op = 'INSERT')
  from location_pins p
  where r.recipient_id = any(pair) and p.id = r.ping_id and p.user_id = any(pair);
  update ping_responses v set is_friend = (tg_op = 'INSERT')
  from location_pins p
  where v.user_id = any(pair) and p.id = v.ping_id and p.user_id = any(pair);
  return null;
end
$$;
create trigger friendships_mark_friends after insert or delete on friendships
  for each row execute function mark_friends_of_owners();
