-- What was made of a request to drop a pin that its sender may repeat, since the answer to it may not have arrived.

create table ping_creations (
  user_id uuid not null references users on delete cascade,
  client_id uuid not null,
  -- Outlives the ping: a repeated request must not bring back what was deleted meanwhile.
  ping_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (user_id, client_id)
);
