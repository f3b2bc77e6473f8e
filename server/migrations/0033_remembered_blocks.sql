-- Blocks and replaced passwords are remembered like erasures, so that a restored backup neither lifts a block that was made
-- after it nor accepts a password that was replaced since.

-- The two hashes are separate, so that a restore finds the pair without hashing every possible one. The row of the later time
-- says whether the block exists. The time is that of the statement, since the start of a transaction that waited for
-- another one may be before the end of that one.
create function remember_block() returns trigger language plpgsql as $$
declare
  pair blocks := case tg_op when 'INSERT' then new else old end;
begin
  if (select count(*) from users where id in (pair.blocker_id, pair.blocked_id)) = 2 then
    insert into tombstones (kind, id_hash, erased_at) values (
      'blocks',
      hash_of_id(pair.blocker_id::text) || '/' || hash_of_id(pair.blocked_id::text)
        || case tg_op when 'INSERT' then '/made' else '/lifted' end,
      clock_timestamp()
    ) on conflict (kind, id_hash) do update set erased_at = excluded.erased_at;
  end if;
  return null;
end
$$;
create trigger blocks_remember_erased after insert or delete on blocks for each row execute function remember_block();

-- A password hash contains random salt, so its own hash identifies it and helps nobody to guess the password.
create function remember_password() returns trigger language plpgsql as $$
begin
  insert into tombstones (kind, id_hash) values ('passwords', hash_of_id(old.id || '/' || old.password_hash))
    on conflict do nothing;
  return null;
end
$$;
create trigger users_remember_password after update of password_hash on users
  for each row when (old.password_hash is distinct from new.password_hash and old.password_hash is not null)
  execute function remember_password();
