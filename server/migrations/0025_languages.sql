-- The language that a person chose, the one of each session and of a mail, as language tags. Null stands for automatic, and a tag
-- that this version does not know counts as null.

alter table users add column locale text check (locale ~ '^[A-Za-z-]{2,35}$');
alter table sessions add column locale text check (locale ~ '^[A-Za-z-]{2,35}$');
alter table deliveries add column locale text check (locale ~ '^[A-Za-z-]{2,35}$');
alter table signups add column locale text check (locale ~ '^[A-Za-z-]{2,35}$');
