-- Passkeys, sign-in with a provider, recovery codes, reset links and security events.

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  credential_id bytea not null,
  -- The public key in the COSE format.
  public_key bytea not null,
  -- The signature counter of the last use. Many authenticators always send 0.
  counter bigint not null,
  transports text[] not null,
  -- The model of the authenticator.
  aaguid uuid not null,
  backed_up boolean not null,
  name text not null check (char_length(name) between 1 and 60),
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
-- Serves the sign-in, and prevents that a credential belongs to two accounts.
create unique index passkeys_credential_key on passkeys (credential_id);
-- The passkeys of a user, newest first.
create index passkeys_user_id_idx on passkeys (user_id, id desc);

-- What a running sign-in has to present: the challenge of a passkey, the state and the code of a provider.
create table auth_challenges (
  -- SHA-256: a copy of the database finishes no sign-in.
  hash bytea primary key,
  purpose text not null check (purpose in ('passkey_create', 'passkey_sign_in', 'oidc_state', 'oidc_code')),
  -- Null: of a person who is not signed in.
  user_id uuid references users on delete cascade,
  data jsonb not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
-- Serves the deletion of an account.
create index auth_challenges_user_id_idx on auth_challenges (user_id) where user_id is not null;
-- Hourly: those that were never used.
create index auth_challenges_expires_at_idx on auth_challenges (expires_at);

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  -- SHA-256 of the code.
  code_hash bytea not null,
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (user_id, code_hash)
);

-- Changes to how an account can be entered.
create table security_events (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in (
    'passkey_added', 'passkey_removed', 'provider_linked', 'provider_unlinked', 'recovery_codes_created',
    'recovery_code_used', 'password_changed', 'password_reset', 'reset_link_created')),
  -- The session that made the change, which may have been deleted since. Null: without a session.
  session_id uuid,
  device text check (char_length(device) <= 100),
  created_at timestamptz(3) not null,
  seen_at timestamptz(3)
);
-- The latest events of a user.
create index security_events_user_id_idx on security_events (user_id, id desc);
-- Hourly: those that are too old.
create index security_events_created_at_idx on security_events (created_at);

-- How the session was opened. Null: opened before this migration.
alter table sessions add column method text
  check (method in ('password', 'passkey', 'google', 'oidc', 'confirmation'));

-- The address that the provider stated when the identity was linked.
alter table identities add column email text;

-- Who made the token of a link that sets a new password.
alter table mail_tokens add column source text not null default 'mail'
  check (source in ('mail', 'admin', 'operator', 'recovery'));

alter table admin_actions drop constraint admin_actions_action_check;
alter table admin_actions add constraint admin_actions_action_check check (action in (
  'claim', 'appoint', 'dismiss_admin', 'dismiss_report', 'delete_reported', 'suspend', 'lift', 'set_registration',
  'create_invitation', 'revoke_invitation', 'create_reset_link'));

-- The mail about a security event.
alter table deliveries add column security_event text;
alter table deliveries drop constraint deliveries_template_check;
alter table deliveries add constraint deliveries_template_check check (template in ('confirm', 'reset', 'security'));
alter table deliveries add constraint deliveries_security_check
  check ((template = 'security') = (security_event is not null));

-- The push about a security event.
alter table push_deliveries add column security_event text;
alter table push_deliveries drop constraint push_deliveries_kind_check;
alter table push_deliveries add constraint push_deliveries_kind_check check (kind in (
  'new_ping', 'ping_activated', 'ping_changed', 'ping_reminder', 'ping_response', 'ping_trip', 'message',
  'message_reaction', 'friend_request', 'security', 'test'));
alter table push_deliveries drop constraint push_deliveries_check;
alter table push_deliveries add constraint push_deliveries_check check (case kind
  when 'new_ping' then ping_id is not null
  when 'ping_activated' then ping_id is not null
  when 'ping_changed' then ping_id is not null
  when 'ping_reminder' then ping_id is not null
  when 'ping_response' then ping_id is not null
  when 'ping_trip' then num_nonnulls(ping_id, responder_id, trip_state) = 3
  when 'message' then chat_id is not null
  when 'message_reaction' then num_nonnulls(chat_id, message_id) = 2
  when 'friend_request' then num_nonnulls(request_id, friendship_id) = 1
  when 'security' then security_event is not null
  else true
end);

-- A restored backup brings back no passkey, identity or code that was removed or used. Where they go with their account, its
-- own tombstone is enough.
create function remember_passkey() returns trigger language plpgsql as $$
begin
  if exists (select 1 from users where id = old.user_id) then
    insert into tombstones (kind, id_hash) values ('passkeys', hash_of_id(old.id::text)) on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger passkeys_remember_erased after delete on passkeys for each row execute function remember_passkey();

-- An identity may be unlinked and linked again: the time identifies the link.
create function remember_identity() returns trigger language plpgsql as $$
begin
  if exists (select 1 from users where id = old.user_id) then
    insert into tombstones (kind, id_hash) values (
      'identities',
      hash_of_id(old.issuer || ' ' || old.subject || '/' || (extract(epoch from old.created_at) * 1000)::bigint)
    ) on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger identities_remember_erased after delete on identities for each row execute function remember_identity();

create function remember_recovery_code() returns trigger language plpgsql as $$
begin
  if exists (select 1 from users where id = old.user_id) then
    insert into tombstones (kind, id_hash) values (
      'recovery_codes', hash_of_id(old.user_id || '/' || encode(old.code_hash, 'hex'))
    ) on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger recovery_codes_remember_used after update of used_at on recovery_codes
  for each row when (old.used_at is null and new.used_at is not null) execute function remember_recovery_code();
create trigger recovery_codes_remember_erased after delete on recovery_codes
  for each row execute function remember_recovery_code();
