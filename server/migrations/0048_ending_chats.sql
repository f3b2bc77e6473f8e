-- The chat of a ping is erased some time after the end of the ping, unless its members keep it. Chats from before this migration
-- have no date and stay.

alter table chats
  add column erase_at timestamptz(3),
  add column kept_at timestamptz(3),
  -- The person who created the ping, also after the ping is erased. Set for chats with a date.
  add column ping_owner_id uuid references users on delete set null,
  add constraint chats_erase_at_check check (erase_at is null or (system_created and kept_at is null));
-- Serves the job that erases chats.
create index chats_erase_at_idx on chats (erase_at) where erase_at is not null;
-- Serves the erasure of an account.
create index chats_ping_owner_idx on chats (ping_owner_id) where ping_owner_id is not null;

-- The members who have asked to keep a chat. With enough of them it is kept and has none.
create table chat_keep_requests (
  chat_id uuid not null,
  user_id uuid not null,
  primary key (chat_id, user_id),
  foreign key (chat_id, user_id) references chat_members on delete cascade
);

-- A push names its chat without a foreign key. Nothing that waits is left of a chat that was deleted.
create function delete_pushes_of_chat() returns trigger language plpgsql as $$
begin
  delete from push_deliveries where subject->>'conversation_id' = old.id::text;
  return null;
end
$$;
create trigger chats_delete_pushes after delete on chats for each row execute function delete_pushes_of_chat();
