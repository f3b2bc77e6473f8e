-- Who has been given the exact place of a ping that shows it to people who are going. Erased with the ping; the names of guests
-- without account 24 hours after its end, like the guests.

create table ping_place_known_by (
  id uuid primary key default gen_random_uuid(),
  ping_id uuid not null references location_pins on delete cascade,
  -- Null after the account is deleted, and for guests without account.
  user_id uuid references users on delete set null,
  -- A guest without account, who may have withdrawn since.
  guest_id uuid,
  -- The name at that time. Shown for guests, and to an owner across a block, who must not learn a new name.
  name text,
  first_at timestamptz(3) not null,
  -- The time of the latest answer with which the person was given the place.
  last_at timestamptz(3) not null
);
-- Serves the people of a ping, each of whom is listed once.
create unique index ping_place_known_by_person_key on ping_place_known_by (ping_id, coalesce(user_id, guest_id));
-- Serves the deletion and the export of an account.
create index ping_place_known_by_user_idx on ping_place_known_by (user_id) where user_id is not null;

create function forget_name() returns trigger language plpgsql as $$
begin
  new.name := null;
  return new;
end
$$;
create trigger ping_place_known_by_forget_name before update of user_id on ping_place_known_by
  for each row when (old.user_id is not null and new.user_id is null) execute function forget_name();

-- Triggers cover every way in which a person begins to know the exact place: each has an answer "going" as an invitee or as an
-- approved guest while the ping shows the place to people who are going, as `mayKnowPlace` decides.
create function note_place_known(of_ping uuid, person uuid, guest uuid, given_name text, answered_at timestamptz)
returns void language sql as $$
  insert into ping_place_known_by (ping_id, user_id, guest_id, name, first_at, last_at)
  select p.id, person, guest, coalesce(given_name, (select coalesce(display_name, username) from users where id = person)),
    known.at, known.at
  -- The answer may be older than the setting of the ping or the approval of the guest.
  from location_pins p, lateral (
    select greatest(answered_at, p.updated_at, p.guests_admitted[cardinality(p.guests_admitted)]) as at) known
  where p.id = of_ping and p.exact_place_for = 'going' and p.expires_at > answered_at
  on conflict (ping_id, coalesce(user_id, guest_id)) do update set name = excluded.name, last_at = excluded.last_at
$$;

create function note_place_of_response() returns trigger language plpgsql as $$
begin
  perform note_place_known(new.ping_id, new.user_id, null, null, new.updated_at);
  return null;
end
$$;
create trigger ping_responses_note_place after insert or update of response_type, is_friend on ping_responses
  for each row when (new.response_type = 'accepted' and new.is_friend) execute function note_place_of_response();

create function note_place_of_guest() returns trigger language plpgsql as $$
begin
  perform note_place_known(
    new.ping_id, new.user_id, case when new.user_id is null then new.id end, new.name, new.updated_at);
  return null;
end
$$;
create trigger ping_guests_note_place after insert or update of response_type, state, name, user_id on ping_guests
  for each row when (new.response_type = 'accepted' and new.state = 'approved') execute function note_place_of_guest();

create function note_place_of_ping(of_ping uuid) returns void language sql as $$
  select note_place_known(ping_id, user_id, null, null, updated_at)
  from ping_responses where ping_id = of_ping and response_type = 'accepted' and is_friend
  union all
  select note_place_known(ping_id, user_id, case when user_id is null then id end, name, updated_at)
  from ping_guests where ping_id = of_ping and response_type = 'accepted' and state = 'approved'
$$;

create function note_place_of_setting() returns trigger language plpgsql as $$
begin
  perform note_place_of_ping(new.id);
  return null;
end
$$;
create trigger location_pins_note_place after update of exact_place_for on location_pins
  for each row when (new.exact_place_for = 'going' and old.exact_place_for <> 'going') execute function note_place_of_setting();

select note_place_of_ping(id) from location_pins where exact_place_for = 'going';
