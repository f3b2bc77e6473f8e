-- Email addresses and usernames are compared by keys that `identifiers.ts` of the contract makes. The database's `lower` has
-- another result in another locale, and joins different addresses: `İ` and `i`, the Kelvin sign and `k`.
-- The keys are ASCII for usernames, and ordered by code points on every database.
alter table users add column email_key text collate "C", add column username_key text collate "C";
alter table signups add column email_key text collate "C", add column username_key text collate "C";

-- run: fill identifier keys

drop index users_email_key, users_username_key, users_name_idx, signups_email_idx, signups_username_idx;
alter table users alter column email_key set not null, alter column username_key set not null,
  -- Sign-in, and one account for each address.
  add constraint users_email_key unique (email_key),
  -- Look-up by name, one owner for each name, and the list of administrators.
  add constraint users_username_key unique (username_key);
alter table signups alter column email_key set not null, alter column username_key set not null;
-- Serves sign-in and confirmation.
create index signups_email_idx on signups (email_key, created_at desc);
-- Serves the reservation of names.
create index signups_username_idx on signups (username_key);
