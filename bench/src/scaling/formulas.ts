import { presenceStoreLimits } from '../../../server/src/cluster/redis-presence-store.ts'
import { channelLimits } from '../../../server/src/realtime/gateway/channel.ts'
import { assumed, bias, ratesOf } from './assumptions.ts'

/** The interval at which a node sends heartbeats. */
const tickSeconds = 8
/** The number of topics that a device joins: `changes` and `online-users`. */
export const topics = 2
/** The delay until a client reconnects. */
const retrySeconds = 1

/** The formulas of `docs/scaling.md` for the peak second. */
export function predict(people: number, nodes: number) {
  const rates = ratesOf(people)
  const { devices, onlineShare, friendsMean } = assumed
  const online = people * onlineShare
  const sockets = online * devices
  const friendOnline = onlineShare * bias
  const friends = friendsMean * bias
  const pingLike = rates.pings + rates.answers
  const messageLike = rates.messages + rates.reads
  /** The size of an audience, and the number of its members who are online. The acting user is always online. */
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
    // Only presence goes through Redis. A presence change is also a change of the user's row.
    publishes: rates.presence * meant(friends),
    messagesToNodes: presenceThere * nodesOf(devices, nodes),
    deliveries: over(there) * devices,
    presenceDeliveries: presenceThere * devices,
    socketPings: sockets / tickSeconds,
    // A client that receives changes is sent none.
    positionsSent: sockets / (channelLimits.positionEveryMs / 1000),
    beats: nodes / (presenceStoreLimits.beatMs / 1000),
    // Typing events and the wake-ups of the push and ping jobs go to every node.
    toAllNodes: rates.messages * (assumed.typingPerMessage + 1) + 2 * rates.pings,
    storm: {
      sockets: sockets / nodes,
      joinsPerNode: ((sockets / nodes) * topics) / (nodes - 1),
      /** Each lost socket causes a leave and, after the reconnect at another node, a join. */
      presenceDeliveries: (sockets / nodes) * 2 * there(friends) * devices,
      seconds: (joinsASecond: number, joins: number) => retrySeconds + joins / joinsASecond,
    },
  }
}

/** The mean number of nodes to which a user with this mean number of devices is connected. */
function nodesOf(devices: number, nodes: number): number {
  return 1 + (devices - 1) * (1 - 1 / nodes)
}

/** The expected load of the fullest node relative to the mean, if sockets are placed randomly: the maximum of normally distributed values. */
export function fullestOf(count: number, nodes: number): number {
  return 1 + Math.sqrt((2 * Math.log(nodes) * nodes) / count)
}
