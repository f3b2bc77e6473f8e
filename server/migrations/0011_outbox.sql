-- The transactional outbox: what a transaction changed is written with it, and every node delivers it from here to its
-- clients, in the order of the ids. Rows are deleted after a few minutes; backups leave these two tables out.

create sequence outbox_ids;

create table outbox (
  -- From outbox_ids, taken as the last thing before the commit: of two transactions that wait for the same row, the one that
  -- commits first has the lower id.
  id bigint primary key,
  -- The transaction that wrote it.
  xid xid8 not null,
  -- By the database's clock. Only how old it is matters.
  created_at timestamptz not null default clock_timestamp(),
  -- JSON: a list of events.
  body text not null
);
alter sequence outbox_ids owned by outbox.id;
-- Rows live for minutes: compressing them, or storing them in a second table, costs more than the room that it saves.
alter table outbox alter column body set storage external, set (toast_tuple_target = 8160);

create table outbox_state (
  -- Names this database among all that share one Redis.
  installation_id uuid not null default gen_random_uuid(),
  -- Rows up to this id may be deleted already: a node that has not read them has to resynchronize its clients.
  deleted_up_to bigint not null default 0,
  -- Numbers the starts of nodes, so that two that run at once differ in the last three digits.
  nodes_started bigint not null default 0
);
create unique index outbox_state_single_row on outbox_state ((true));
insert into outbox_state default values;
