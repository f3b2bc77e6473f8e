-- What was erased: a backup that is restored brings none of it back.

create table tombstones (
  kind text not null,
  -- SHA-256 of the id, in hexadecimal digits: whoever has the row knows it again, and nobody else learns who it was.
  id_hash text not null,
  -- By the database's clock, since a trigger is told no time. Only how old it is matters.
  erased_at timestamptz(3) not null default now(),
  primary key (kind, id_hash)
);
-- The latest, to be copied to where they outlive this database; and those that may go.
create index tombstones_erased_at_idx on tombstones (erased_at);

create function hash_of_id(id text) returns text language sql immutable as $$
  select encode(sha256(convert_to(id, 'UTF8')), 'hex')
$$;

-- Rows go in many ways, most of them as a consequence of others: whichever it was, it is remembered here.
create function remember_erased() returns trigger language plpgsql as $$
begin
  insert into tombstones (kind, id_hash) values (tg_table_name, hash_of_id(old.id::text)) on conflict do nothing;
  return null;
end
$$;
create trigger users_remember_erased after delete on users for each row execute function remember_erased();
create trigger location_pins_remember_erased after delete on location_pins for each row execute function remember_erased();
create trigger images_remember_erased after delete on images for each row execute function remember_erased();
create trigger chats_remember_erased after delete on chats for each row execute function remember_erased();
create trigger messages_remember_erased after update of deleted_at on messages
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function remember_erased();

-- What ends between people who stay. Where it goes with a person or a ping, their own tombstone is enough.
create function remember_unfriended() returns trigger language plpgsql as $$
begin
  if (select count(*) from users where id in (old.requester_id, old.requested_id)) = 2 then
    insert into tombstones (kind, id_hash) values ('friendships', hash_of_id(old.id::text)) on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger friendships_remember_erased after delete on friendships
  for each row execute function remember_unfriended();

create function remember_uninvited() returns trigger language plpgsql as $$
begin
  if exists (select 1 from location_pins where id = old.ping_id) and exists (select 1 from users where id = old.recipient_id) then
    insert into tombstones (kind, id_hash) values ('ping_recipients', hash_of_id(old.id::text)) on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger ping_recipients_remember_erased after delete on ping_recipients
  for each row execute function remember_uninvited();

-- A membership has no id of its own, and whoever left may join again: the time tells the one from the other.
create function remember_left() returns trigger language plpgsql as $$
begin
  if exists (select 1 from chats where id = old.chat_id) and exists (select 1 from users where id = old.user_id) then
    insert into tombstones (kind, id_hash) values ('chat_members', hash_of_id(old.chat_id || '/' || old.user_id))
      on conflict (kind, id_hash) do update set erased_at = excluded.erased_at;
  end if;
  return null;
end
$$;
create trigger chat_members_remember_erased after delete on chat_members
  for each row execute function remember_left();

create function remember_dismissed() returns trigger language plpgsql as $$
begin
  insert into tombstones (kind, id_hash) values ('admins', hash_of_id(old.user_id::text))
    on conflict (kind, id_hash) do update set erased_at = excluded.erased_at;
  return null;
end
$$;
create trigger admins_remember_erased after delete on admins for each row execute function remember_dismissed();
create trigger invitations_remember_erased after delete on invitations for each row execute function remember_erased();
