-- Whether the owner gave the pin no name. Its name is then a default one in the language of the owner, and others read the name of
-- the owner in its place.
alter table location_pins add column is_unnamed boolean not null default false;
update location_pins set is_unnamed = true where name in ('My Pin', 'Mein Pin', 'Mi pin', 'Mon épingle', 'دبوسي');
