-- A membership or an appointment is told from a later one of the same person by when it began, and no longer by when it
-- ended: the beginning is by the server's clock, the end by the database's, and the two may differ.

create or replace function remember_left() returns trigger language plpgsql as $$
begin
  if exists (select 1 from chats where id = old.chat_id) and exists (select 1 from users where id = old.user_id) then
    insert into tombstones (kind, id_hash) values (
      'chat_members',
      hash_of_id(old.chat_id || '/' || old.user_id || '/' || (extract(epoch from old.joined_at) * 1000)::bigint)
    ) on conflict do nothing;
  end if;
  return null;
end
$$;

create or replace function remember_dismissed() returns trigger language plpgsql as $$
begin
  insert into tombstones (kind, id_hash) values (
    'admins',
    hash_of_id(old.user_id || '/' || (extract(epoch from old.appointed_at) * 1000)::bigint)
  ) on conflict do nothing;
  return null;
end
$$;
