import { attendanceLimits } from '../../../server/src/platform/redis-attendance.ts'
import { assumed, bias, ratesOf } from './assumptions.ts'

/** How often every node pings each socket, and saves how far each client has come. */
export const tickSeconds = 8
/** A device joins `changes` and `online-users`. */
export const topics = 2
/** After which a client whose connection broke tries again. */
export const retrySeconds = 1

/** The formulas of `docs/scaling.md`, for the busiest second. */
export function predict(people: number, nodes: number) {
  const rates = ratesOf(people)
  const { devices, onlineShare, friendsMean } = assumed
  const online = people * onlineShare
  const sockets = online * devices
  const friendOnline = onlineShare * bias
  const friends = friendsMean * bias
  const pingLike = rates.pings + rates.answers
  const messageLike = rates.messages + rates.reads
  /** All who are meant, and those of them who are online: whoever does it is. */
  const meant = (others: number) => 1 + others
  const there = (others: number) => 1 + others * friendOnline
  const over = (count: (others: number) => number) =>
    pingLike * count(assumed.pingRecipients) +
    messageLike * count(assumed.messageOthers) +
    rates.presence * count(friends)
  const presenceThere = rates.presence * there(friends)
  return {
    online,
    sockets,
    changes: pingLike + messageLike + rates.presence,
    // Every node reads every row of the outbox.
    rowsRead: (pingLike + messageLike + rates.presence) * nodes,
    // Through Redis goes presence alone; who comes or goes is also a change of their row.
    publishes: rates.presence * meant(friends),
    messagesToNodes: presenceThere * nodesOf(devices, nodes),
    deliveries: over(there) * devices,
    presenceDeliveries: presenceThere * devices,
    socketPings: sockets / tickSeconds,
    positionsSaved: (sockets * topics) / tickSeconds,
    beats: nodes / (attendanceLimits.beatMs / 1000),
    // Each of these goes to every node: typing, and what wakes the jobs that send pushes and announce pings.
    toAllNodes: rates.messages * (assumed.typingPerMessage + 1) + 2 * rates.pings,
    storm: {
      sockets: sockets / nodes,
      joinsPerNode: ((sockets / nodes) * topics) / (nodes - 1),
      /** Each is seen to go and, at another node, to come. */
      presenceDeliveries: (sockets / nodes) * 2 * there(friends) * devices,
      seconds: (joinsASecond: number, joins: number) => retrySeconds + joins / joinsASecond,
    },
  }
}

/** On how many nodes a person is who has one device, and now and then one more. */
export function nodesOf(devices: number, nodes: number): number {
  return 1 + (devices - 1) * (1 - 1 / nodes)
}

/** Placed by chance: the fullest node beside the mean. The greatest of as many normal ones. */
export function fullestOf(count: number, nodes: number): number {
  return 1 + Math.sqrt((2 * Math.log(nodes) * nodes) / count)
}
