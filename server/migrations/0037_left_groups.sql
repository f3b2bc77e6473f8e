-- Nobody is put back into a group that they left.

-- Who left a group is remembered like a removal. Unlike somebody whom an admin removed, they may come back by themselves: to the
-- chat of a pin as long as they are invited to it.
alter table chat_removals add column reason text not null default 'removed'
  check (reason in ('removed', 'left', 'left_pin'));

-- The owner of a pin may delete its chat and create another one, which must not bring back who left the first. A row exists
-- once, because only a member leaves, and it is deleted when the person joins again.
create table ping_chat_leavers (
  ping_id uuid not null references location_pins on delete cascade,
  user_id uuid not null references users on delete cascade
);
-- Serves the creation of a chat and its invitations.
create index ping_chat_leavers_ping_idx on ping_chat_leavers (ping_id);
-- Deleted with their account.
create index ping_chat_leavers_user_idx on ping_chat_leavers (user_id);
