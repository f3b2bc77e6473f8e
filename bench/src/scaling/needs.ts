import { outboxLimits } from '../../../server/src/platform/events/outbox.ts'
import { assumed, ratesOf } from './assumptions.ts'
import { cost, planned } from './costs.ts'
import { predict, topics } from './formulas.ts'

/** The resources that this many users need at the peak, by the formulas of `docs/scaling.md` and the measured costs. */
export function needsOf(people: number) {
  const few = resolveNodes(people)
  const expected = predict(people, Math.max(2, few))
  const rates = ratesOf(people)
  const outbox =
    few * (expected.changes * cost.rowReadOfDatabase + readsOf(expected.changes) * cost.outboxReadOfDatabase)
  const coresOf = (microseconds: number) => microseconds / (planned.coreUsed * 1e6)
  return {
    nodes: few,
    nodeCores: coresOf(nodeMicroseconds(people)),
    databaseCores: coresOf(rates.calls * cost.callOfDatabase + outbox),
    databaseOfOutbox: outbox / (rates.calls * cost.callOfDatabase + outbox),
    writes: rates.pings + rates.answers + rates.messages + rates.reads,
    rowsADay:
      people *
      assumed.dailyShare *
      (assumed.messagesADay + assumed.pingsADay * (1 + assumed.pingRecipients) + assumed.answersADay),
    redisCores: coresOf(redisMicroseconds(people, few)),
    redisOfPositions: (expected.positionsSaved * cost.position) / redisMicroseconds(people, few),
    changes: expected.changes,
    deliveries: expected.deliveries + expected.presenceDeliveries,
    sockets: expected.sockets,
    toAllNodes: expected.toAllNodes * few,
    calls: rates.calls,
  }
}

/** The outbox reads of a node per second, at most one every ten milliseconds. */
function readsOf(changes: number): number {
  return Math.min(changes, 1000 / outboxLimits.wakePauseMs)
}

function resolveNodes(people: number): number {
  const sockets = predict(people, 2).sockets
  const byCores = nodeMicroseconds(people) / (planned.coreUsed * 1e6)
  return Math.max(1, Math.ceil(byCores), Math.ceil(sockets / planned.socketsOfNode))
}

function nodeMicroseconds(people: number): number {
  const { changes, deliveries, presenceDeliveries, sockets } = predict(people, 2)
  const rates = ratesOf(people)
  return (
    rates.calls * cost.callOfNode +
    changes * cost.rowReadOfNode +
    readsOf(changes) * cost.outboxReadOfNode +
    (deliveries + presenceDeliveries) * cost.delivery +
    sockets * cost.idleSocketASecond +
    // Half of the presence changes are connects, and each connect joins all topics.
    (rates.presence / 2) * topics * cost.join
  )
}

function redisMicroseconds(people: number, nodes: number): number {
  const expected = predict(people, Math.max(2, nodes))
  return (
    expected.publishes * cost.publish +
    (expected.messagesToNodes + expected.toAllNodes * nodes) * cost.receive +
    expected.positionsSaved * cost.position +
    (ratesOf(people).presence / 2) * cost.watch
  )
}
