-- Pictures of people and of pings, and the files that have to go.

create table images (
  id uuid primary key,
  user_id uuid references users on delete cascade,
  ping_id uuid references location_pins on delete cascade,
  -- Random names in the file storage: they tell nothing and cannot be guessed.
  storage_key text not null,
  thumb_storage_key text not null,
  -- Of the stored picture, so that a client is told when the one it has is still the one.
  hash text not null,
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  bytes integer not null check (bytes > 0),
  thumb_bytes integer not null check (thumb_bytes > 0),
  created_at timestamptz(3) not null,
  check (num_nonnulls(user_id, ping_id) = 1)
);
-- One picture a person; whose picture it is.
create unique index images_user_id_key on images (user_id) where user_id is not null;
-- One picture a ping.
create unique index images_ping_id_key on images (ping_id) where ping_id is not null;

-- Files to erase. One that is being written stands here too, for later, until its picture is a row: what a crash leaves behind goes.
create table erasures (
  storage_key text primary key,
  due_at timestamptz(3) not null default '-infinity',
  attempts integer not null default 0
);
-- The next files to erase.
create index erasures_due_at_idx on erasures (due_at);

-- A picture's row goes in many ways, most of them the end of a ping or of an account: its files go with it in all of them.
create function erase_image_files() returns trigger language plpgsql as $$
begin
  insert into erasures (storage_key) values (old.storage_key), (old.thumb_storage_key) on conflict do nothing;
  return null;
end
$$;
create trigger images_erase_files after delete on images for each row execute function erase_image_files();
