-- When the latest 300 guests of a ping were approved, by its owner or by its open link, the earliest first. Guests who are gone
-- count too, for 24 hours.
alter table location_pins add column guests_admitted timestamptz(3)[] not null default '{}';
