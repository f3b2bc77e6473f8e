-- A ping may be ended in the very millisecond in which it began.
alter table location_pins drop constraint location_pins_check;
alter table location_pins add constraint location_pins_ends_after_start check (expires_at >= coalesce(activates_at, created_at));
