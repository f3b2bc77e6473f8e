-- Reactions, replies, edits, photos and places of messages, search, and pinned and archived conversations.

create table message_reactions (
  message_id uuid not null references messages on delete cascade,
  user_id uuid not null references users on delete cascade,
  emoji text not null check (octet_length(emoji) <= 64),
  created_at timestamptz(3) not null,
  primary key (message_id, user_id)
);
-- Serves the export and the erasure of an account.
create index message_reactions_user_id_idx on message_reactions (user_id);

-- The words of a text. Typographic punctuation separates words, as punctuation of ASCII does: in the locale C it would be
-- part of them.
create function words_of(content text) returns tsvector language sql immutable as $$
  select to_tsvector('simple'::regconfig, translate(content, '“”„‘’‚«»‹›…–—·', '              '))
$$;
-- A word as it is stored for messages of this chat: the index of all words then reads only those of the chats that are searched.
-- Two chats may share the beginning. No search has longer words than 100 characters.
create function word_in_chat(chat_id uuid, word text) returns text language sql immutable as $$
  select left(md5(chat_id::text), 6) || '/' || left(word, 100)
$$;
create function words_in_chat(chat_id uuid, content text) returns tsvector language sql immutable as $$
  select array_to_tsvector(array(select word_in_chat(chat_id, lexeme) from unnest(words_of(content))))
$$;

-- A backup is restored in batches, in which an answer may come before the message that it quotes.
alter table messages
  add column reply_to_id uuid references messages on delete set null deferrable initially immediate,
  add column edited_at timestamptz(3),
  add column attachment text check (attachment in ('photo', 'place')),
  add column place_name text check (char_length(place_name) between 1 and 80),
  add column place_address text check (char_length(place_address) <= 300),
  add column latitude double precision check (latitude between -90 and 90),
  add column longitude double precision check (longitude between -180 and 180),
  add column search tsvector generated always as
    (words_in_chat(chat_id, content || ' ' || coalesce(place_name, ''))) stored;
-- `content` is the text, or the caption of an attachment, which may be empty. A deleted message has nothing of all this.
alter table messages drop constraint messages_check;
alter table messages add constraint messages_check check (case
  when deleted_at is null then content <> '' or attachment is not null
  else content = '' and num_nonnulls(reply_to_id, edited_at, attachment) = 0
end);
alter table messages add constraint messages_place_check check (
  num_nonnulls(latitude, longitude) = case when attachment = 'place' then 2 else 0 end
  and (attachment is not distinct from 'place' or num_nonnulls(place_name, place_address) = 0));
-- Serves the search.
create index messages_search_idx on messages using gin (search) where deleted_at is null;
-- Serves the deletion of a quoted message with its conversation.
create index messages_reply_to_idx on messages (reply_to_id) where reply_to_id is not null;

alter table images
  -- A photo that was sent.
  add column message_id uuid references messages on delete cascade,
  -- A photo that was uploaded to this conversation and not sent yet.
  add column chat_id uuid references chats on delete cascade,
  add column uploaded_by uuid references users on delete cascade;
alter table images drop constraint images_check;
alter table images add constraint images_check check (
  num_nonnulls(user_id, ping_id, message_id, chat_id) = 1
  and (uploaded_by is not null) = (num_nonnulls(message_id, chat_id) = 1));
-- One photo for each message; serves the pages of a conversation.
create unique index images_message_id_key on images (message_id) where message_id is not null;
-- Serves the deletion of a conversation.
create index images_chat_id_idx on images (chat_id) where chat_id is not null;
-- Serves the erasure of an account.
create index images_uploaded_by_idx on images (uploaded_by) where uploaded_by is not null;
-- Serves the job that deletes photos that were not sent.
create index images_unsent_idx on images (created_at) where chat_id is not null;

alter table chat_members
  add column pinned_at timestamptz(3),
  add column archived_at timestamptz(3),
  add constraint chat_members_pinned_check check (num_nonnulls(pinned_at, archived_at) <= 1);

alter table notification_preferences add column message_reaction boolean not null default false;

-- The message that a push about a reaction is about.
alter table push_deliveries add column message_id uuid references messages on delete cascade;
-- Serves the deletion of a message with its conversation.
create index push_deliveries_message_idx on push_deliveries (message_id) where message_id is not null;
alter table push_deliveries drop constraint push_deliveries_kind_check;
alter table push_deliveries add constraint push_deliveries_kind_check check (kind in (
  'new_ping', 'ping_activated', 'ping_changed', 'ping_reminder', 'ping_response', 'ping_trip', 'message',
  'message_reaction', 'friend_request', 'test'));
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
  else true
end);
