-- The server makes the words of the search (`searchedWords` of the contract), for messages and for queries alike.

-- Earlier messages keep the words that they had until a job has made them again.
alter table messages alter column search drop expression;
alter table messages alter column search set not null, add column words_outdated boolean not null default true;
alter table messages alter column words_outdated set default false;
-- Serves that job.
create index messages_words_outdated_idx on messages (id) where words_outdated;

drop function words_in_chat(uuid, text);
drop function words_of(text);
create function words_in_chat(chat_id uuid, words text[]) returns tsvector language sql immutable as $$
  select array_to_tsvector(array(select word_in_chat(chat_id, word) from unnest(words) word))
$$;
