/**
 * What things cost, as measured: processor time in microseconds. `docs/scaling.md` says when and by which command; after a new
 * measurement the figures change there and here.
 */
export const cost = {
  /** `npm run bench:realtime`. */
  delivery: 13,
  join: 200,
  idleSocketASecond: 7,
  /** `npm run bench:http`, the mix: of a node, and of PostgreSQL. */
  callOfNode: 160,
  callOfDatabase: 270,
  /** `npm run bench:outbox`: a row read by one node, at the node and at PostgreSQL. */
  rowReadOfNode: 29,
  rowReadOfDatabase: 7,
  /** The same for one read, with any number of rows. A node makes at most a hundred a second. */
  outboxReadOfNode: 131,
  outboxReadOfDatabase: 147,
  /** `npm run bench:redis`: presence for one person, of each node that receives it, and of the rest. */
  publish: 1,
  receive: 2.4,
  position: 3.5,
  watch: 14,
} as const

/** What is planned with; nothing of it is measured. */
export const planned = {
  /** Of each core at the busiest second. */
  coreUsed: 0.6,
  /** Of a node with one core and 4 GB; as many come back at once when another dies. */
  socketsOfNode: 20_000,
} as const
