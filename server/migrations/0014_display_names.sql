-- Display names: the name in any script that others see with or instead of the username.

alter table users add column display_name text check (char_length(display_name) between 1 and 40);

-- The display name of the reported user at the time of the report.
alter table reports add column display_name text;
