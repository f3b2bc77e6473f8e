/**
 * Measured CPU costs in microseconds. `docs/scaling.md` contains the dates and commands of the measurements. Update both
 * places after a new measurement.
 */
export const cost = {
  /** Measured with `npm run bench:realtime`. */
  delivery: 9,
  join: 245,
  idleSocketASecond: 6.4,
  /** Measured with `npm run bench:http` (workload mix), at a node and at PostgreSQL. */
  callOfNode: 390,
  callOfDatabase: 1440,
  /** Measured with `npm run bench:outbox`: a row read by one node, at the node and at PostgreSQL. */
  rowReadOfNode: 21,
  rowReadOfDatabase: 1,
  /** The same for one read with any number of rows. A node makes at most a hundred reads a second. */
  outboxReadOfNode: 99,
  outboxReadOfDatabase: 113,
  /** Measured with `npm run bench:redis`: the presence of one user, per publish, per receiving node and for other operations. */
  publish: 1,
  receive: 2.4,
  watch: 14,
} as const

/** Planning values. They are not measured. */
export const planned = {
  /** The CPU utilization of each core at the peak. */
  coreUsed: 0.6,
  /** Sockets of a node with one core and 4 GB. This many reconnect at once when a node dies. */
  socketsOfNode: 20_000,
} as const
