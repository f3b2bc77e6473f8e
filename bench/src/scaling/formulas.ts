import { attendanceLimits } from '../../../server/src/platform/redis-attendance.ts'
import { redisBusLimits } from '../../../server/src/platform/redis-bus.ts'
import { assumed, bias, ratesOf } from './assumptions.ts'

/** How often every node asks each socket for a sign of life, and notes how far each has come. */
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
  // A person's channel is listened to once by each node that they are at.
  const places = nodesOf(devices, nodes)
  const presenceThere = rates.presence * there(friends)
  return {
    online,
    sockets,
    changes: pingLike + messageLike + rates.presence,
    audience: over(meant),
    logsWritten: over(there),
    // Who comes or goes is told twice: as a change of their row, and as presence.
    publishes: over(meant) + rates.presence * meant(friends),
    messagesToNodes: (over(there) + presenceThere) * places,
    deliveries: over(there) * devices,
    presenceDeliveries: presenceThere * devices,
    socketPings: sockets / tickSeconds,
    placesKept: (sockets * topics) / tickSeconds,
    logsRefreshed: (online * places) / (redisBusLimits.refreshMs / 1000),
    beats: nodes / (attendanceLimits.beatMs / 1000),
    // Each of these goes to every node: typing, and what wakes those who send pushes and tell of pings.
    saidToAll: rates.messages * (assumed.typingPerMessage + 1) + 2 * rates.pings,
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
