-- Proofs of who signed up, and devices that guesses at a password do not delay.

-- SHA-256 of the secret that the sign-up's browser holds. Null: a sign-up of an earlier version, which its password proves.
alter table signups add column secret_hash bytea;

-- Wrong passwords and secrets that were sent with the token. The token is void after a few.
alter table mail_tokens add column failed_tries smallint not null default 0;

-- Devices that have signed in to an account. Wrong passwords from elsewhere do not delay their sign-ins.
create table known_devices (
  user_id uuid not null references users on delete cascade,
  -- SHA-256 of the account's id and of random text that the device made.
  secret_hash bytea not null,
  last_used_at timestamptz(3) not null,
  primary key (user_id, secret_hash)
);
-- Hourly: the devices that were not used for months.
create index known_devices_last_used_at_idx on known_devices (last_used_at);
