-- The owner of a ping is notified of one trip and of one arrival of each person. These rows outlive the response of the person,
-- who may remove it and respond again.

create table ping_trip_notices (
  ping_id uuid not null references location_pins on delete cascade,
  user_id uuid not null references users on delete cascade,
  state text not null check (state in ('en_route', 'arrived')),
  primary key (ping_id, user_id, state)
);
-- Serves the deletion of an account.
create index ping_trip_notices_user_id_idx on ping_trip_notices (user_id);

insert into ping_trip_notices (ping_id, user_id, state)
select ping_id, user_id, 'en_route' from ping_responses where is_trip_notified
union all
select ping_id, user_id, 'arrived' from ping_responses where is_arrival_notified;

alter table ping_responses drop column is_trip_notified, drop column is_arrival_notified;
