-- When the last deleted row of the outbox was written: with its id, this is the position from which a node starts that finds no
-- rows, so that clients which have missed nothing can resume there.
alter table outbox_state add column deleted_row_created_at timestamptz not null default 'epoch';

-- Changes get their positions from the outbox, so that nodes no longer need numbers.
alter table outbox_state drop column nodes_started;
