-- The exact place of a ping is replaced by its area some time after the end of the ping.

-- How long after the end the exact place is stored: PLACE_KEEP_HOURS, which the server writes at its start. In the database,
-- because every read of a ping depends on it.
create table place_erasure (keep interval not null);
create unique index place_erasure_single_row on place_erasure ((true));
insert into place_erasure values (interval '24 hours');

-- From now on every ping has an area, also if everyone sees the exact place. This is `areaOf` of the contract; the town is
-- added when the place is erased.
update location_pins p set area_latitude = round(center.latitude::numeric, 6),
  area_longitude = round((-180 + (mod(floor((p.longitude + 180) * center.columns / 360)::numeric, center.columns::numeric)::double precision
    + 0.5) * 360 / center.columns)::numeric, 6)
from (
  select c.id, c.latitude, greatest(3, round(360 * c.k * cos(radians(c.latitude)))) as columns
  from (
    select r.id, r.k, -90 + (r.number + 0.5) / r.k as latitude
    from (
      select g.id, g.k, least(floor((g.latitude + 90) * g.k), 180 * g.k - 1) as number
      from (
        select id, latitude, case area_km when 1 then 100 else 20 end::double precision as k from location_pins
      ) g
    ) r
  ) c
) center
where p.id = center.id and p.area_latitude is null;

alter table location_pins drop constraint location_pins_area_check;
alter table location_pins alter column area_latitude set not null, alter column area_longitude set not null;
alter table location_pins add column place_erased_at timestamptz(3);
-- Serves the job that erases places.
create index location_pins_place_idx on location_pins (expires_at) where place_erased_at is null;

-- A backup that is restored does not bring the place back.
create function remember_place_erased() returns trigger language plpgsql as $$
begin
  insert into tombstones (kind, id_hash) values ('ping_places', hash_of_id(new.id::text)) on conflict do nothing;
  return null;
end
$$;
create trigger location_pins_remember_place_erased after update of place_erased_at on location_pins
  for each row when (old.place_erased_at is null and new.place_erased_at is not null)
  execute function remember_place_erased();
