-- Circles: named lists of friends that only their owner sees.

create table circles (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  name text not null check (char_length(name) between 1 and 30),
  emoji text check (octet_length(emoji) <= 64),
  created_at timestamptz(3) not null,
  -- The time of the last change of the circle or its members. Later with each change.
  updated_at timestamptz(3) not null
);
-- Serves the list of the owner, and a name is used once.
create unique index circles_name_key on circles (user_id, lower(name));

-- A member leaves with the friendship.
create table circle_members (
  circle_id uuid not null references circles on delete cascade,
  user_id uuid not null references users on delete cascade,
  added_at timestamptz(3) not null,
  friendship_id uuid not null references friendships on delete cascade,
  primary key (circle_id, user_id)
);
-- Serves the end of a friendship.
create index circle_members_friendship_idx on circle_members (friendship_id);
-- Serves the deletion of an account.
create index circle_members_user_id_idx on circle_members (user_id);

-- The circles that a ping was sent to.
create table ping_circles (
  ping_id uuid not null references location_pins on delete cascade,
  circle_id uuid not null references circles on delete cascade,
  primary key (ping_id, circle_id)
);
-- Serves the deletion of a circle.
create index ping_circles_circle_idx on ping_circles (circle_id);

-- Whether the owner named this person, and did not choose all friends or a circle.
alter table ping_recipients add column is_individual boolean not null default true;

create trigger circles_remember_erased after delete on circles for each row execute function remember_erased();

-- A member may be removed and added again: the time identifies the membership.
create function remember_circle_member() returns trigger language plpgsql as $$
begin
  if exists (select 1 from circles where id = old.circle_id) and exists (select 1 from users where id = old.user_id) then
    insert into tombstones (kind, id_hash) values (
      'circle_members',
      hash_of_id(old.circle_id || '/' || old.user_id || '/' || (extract(epoch from old.added_at) * 1000)::bigint)
    ) on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger circle_members_remember_erased after delete on circle_members
  for each row execute function remember_circle_member();
