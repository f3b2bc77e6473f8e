-- Conversations, who is in them, and what they say. A conversation's row is the gate of all that is written to it: whoever
-- holds it counts messages, members and what they have read.

create table chats (
  id uuid primary key,
  type text not null check (type in ('direct', 'group')),
  name text check (char_length(name) between 1 and 80),
  -- The chat of a ping outlives it.
  ping_id uuid references location_pins on delete set null,
  system_created boolean not null default false,
  -- The two of a direct conversation; null once one has deleted their account.
  pair_low_id uuid references users on delete set null,
  pair_high_id uuid references users on delete set null,
  -- The latest `seq` that was given, and how many of those messages have been deleted.
  last_seq integer not null default 0,
  deleted_count integer not null default 0 check (deleted_count between 0 and last_seq),
  created_at timestamptz(3) not null,
  -- Of the latest message that stands, or else of the conversation.
  updated_at timestamptz(3) not null,
  check ((type = 'group') = (name is not null)),
  check (type = 'direct' or num_nonnulls(pair_low_id, pair_high_id) = 0),
  check (type = 'group' or (ping_id is null and not system_created)),
  check (pair_low_id < pair_high_id)
);
-- One chat a ping; and the chat of a ping.
create unique index chats_ping_key on chats (ping_id) where ping_id is not null;
-- One direct conversation between two people.
create unique index chats_pair_key on chats (pair_low_id, pair_high_id) where pair_low_id is not null;
-- The direct conversations of someone who deletes their account.
create index chats_pair_high_idx on chats (pair_high_id) where pair_high_id is not null;

create table chat_members (
  chat_id uuid not null references chats on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('admin', 'member')),
  joined_at timestamptz(3) not null,
  -- Every message up to this one has been read, and of those after it so many need no reading: own ones, and deleted ones.
  last_read_seq integer not null,
  unread_skipped integer not null default 0 check (unread_skipped >= 0),
  read_at timestamptz(3) not null,
  primary key (chat_id, user_id)
);
-- A person's conversations.
create index chat_members_user_id_idx on chat_members (user_id);

create table messages (
  id uuid primary key,
  chat_id uuid not null references chats on delete cascade,
  seq integer not null,
  sender_id uuid references users on delete set null,
  client_id uuid,
  content text not null check (char_length(content) <= 4000),
  created_at timestamptz(3) not null,
  -- The row of a deleted message stays, without its text, so that its place and its client_id stay taken.
  deleted_at timestamptz(3),
  check ((content = '') = (deleted_at is not null))
);
-- Each place in a conversation once.
create unique index messages_seq_key on messages (chat_id, seq);
-- The pages of a conversation, and its latest message.
create index messages_page_idx on messages (chat_id, seq) where deleted_at is null;
-- A repeated attempt to send the same message; and a person's own messages.
create unique index messages_client_id_key on messages (sender_id, client_id);

-- Whom an admin has removed: they may not join again by themselves.
create table chat_removals (
  chat_id uuid not null references chats on delete cascade,
  user_id uuid not null references users on delete cascade,
  removed_at timestamptz(3) not null,
  primary key (chat_id, user_id)
);
-- Erased with their account.
create index chat_removals_user_id_idx on chat_removals (user_id);
