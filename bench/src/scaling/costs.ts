/**
 * Measured CPU costs in microseconds. `docs/scaling.md` contains the dates and commands of the measurements. Update both
 * places after a new measurement.
 */
export const cost = {
  /** Measured with `npm run bench:realtime`. */
  delivery: 13,
  join: 200,
  idleSocketASecond: 7,
  /** Measured with `npm run bench:http` (workload mix), at a node and at PostgreSQL. */
  callOfNode: 160,
  callOfDatabase: 270,
  /** Measured with `npm run bench:outbox`: a row read by one node, at the node and at PostgreSQL. */
  rowReadOfNode: 29,
  rowReadOfDatabase: 7,
  /** The same for one read with any number of rows. A node makes at most a hundred reads a second. */
  outboxReadOfNode: 131,
  outboxReadOfDatabase: 147,
  /** Measured with `npm run bench:redis`: the presence of one user, per publish, per receiving node and for other operations. */
  publish: 1,
  receive: 2.4,
  position: 3.5,
  watch: 14,
} as const

/** Planning values. They are not measured. */
export const planned = {
  /** The CPU utilization of each core at the peak. */
  coreUsed: 0.6,
  /** Sockets of a node with one core and 4 GB. This many reconnect at once when a node dies. */
  socketsOfNode: 20_000,
} as const
