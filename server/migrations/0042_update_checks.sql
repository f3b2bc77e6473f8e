-- What the server knows about its next version. At most one row, and none without `UPDATE_CHECK_URL`.
create table update_checks (
  "only" boolean primary key default true check ("only"),
  -- The node that moves this time ahead reads the address, so that of several nodes one reads it.
  due_at timestamptz(3) not null,
  checked_at timestamptz(3),
  has_failed boolean not null default false,
  -- The newest version that the address has named, and the page about it.
  version text check (char_length(version) <= 50),
  notes_url text check (char_length(notes_url) <= 500)
);
