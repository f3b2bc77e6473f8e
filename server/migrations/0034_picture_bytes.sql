-- The bytes of all stored pictures of a person: the profile picture, those of pins, and photos of messages, sent or not.
-- Each part has an index. Read for each upload, in the list of users of an admin, and nowhere that is read often.
create function picture_bytes(person uuid) returns bigint language sql stable as $$
  select coalesce(sum(i.bytes::bigint + i.thumb_bytes), 0)::bigint from (
    select bytes, thumb_bytes from images where user_id = person
    union all select bytes, thumb_bytes from images where uploaded_by = person
    union all
    select p.bytes, p.thumb_bytes from location_pins l join images p on p.ping_id = l.id where l.user_id = person
  ) i
$$;
