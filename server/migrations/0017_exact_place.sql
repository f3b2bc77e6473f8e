-- Who sees the exact place of a ping, and the area that all others see.

alter table location_pins add column exact_place_for text not null default 'everyone'
  check (exact_place_for in ('everyone', 'invited', 'going'));
-- The radius of the area in kilometers.
alter table location_pins add column area_km smallint not null default 1 check (area_km in (1, 5));
-- The center of the area. Null while everyone sees the exact place.
alter table location_pins add column area_latitude double precision;
alter table location_pins add column area_longitude double precision;
-- The nearest town of the center, if there is one.
alter table location_pins add column area_address text;
alter table location_pins add constraint location_pins_area_check
  check (exact_place_for = 'everyone' or num_nonnulls(area_latitude, area_longitude) = 2);
