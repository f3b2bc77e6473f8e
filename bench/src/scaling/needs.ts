import { outboxLimits } from '../../../server/src/events/outbox.ts'
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
    nodeCores: coresOf(dividedMicroseconds(people) + few * outboxMicrosecondsOfNode(people)),
    nodeOfOutbox: outboxMicrosecondsOfNode(people) / (planned.coreUsed * 1e6),
    databaseCores: coresOf(rates.calls * cost.callOfDatabase + outbox),
    databaseOfOutbox: outbox / (rates.calls * cost.callOfDatabase + outbox),
    writes: rates.pings + rates.answers + rates.messages + rates.reads,
    rowsADay:
      people *
      assumed.dailyShare *
      (assumed.messagesADay + assumed.pingsADay * (1 + assumed.pingRecipients) + assumed.answersADay),
    redisCores: coresOf(redisMicroseconds(people, few)),
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

/** From about 68 million people on, no number of nodes is enough, because one core cannot read the whole outbox: see `nodeOfOutbox`. */
function resolveNodes(people: number): number {
  const { sockets } = predict(people, 2)
  const left = planned.coreUsed * 1e6 - outboxMicrosecondsOfNode(people)
  const byCores = left > 0 ? dividedMicroseconds(people) / left : 0
  return Math.max(1, Math.ceil(byCores), Math.ceil(sockets / planned.socketsOfNode))
}

/** The work per second that all nodes divide among themselves. */
function dividedMicroseconds(people: number): number {
  const { deliveries, presenceDeliveries, sockets } = predict(people, 2)
  const rates = ratesOf(people)
  return (
    rates.calls * cost.callOfNode +
    (deliveries + presenceDeliveries) * cost.delivery +
    sockets * cost.idleSocketASecond +
    // Half of the presence changes are connects, and each connect joins all topics.
    (rates.presence / 2) * topics * cost.join
  )
}

/** The work per second of each node for the outbox, of which every node reads every row. */
function outboxMicrosecondsOfNode(people: number): number {
  const { changes } = predict(people, 2)
  return changes * cost.rowReadOfNode + readsOf(changes) * cost.outboxReadOfNode
}

function redisMicroseconds(people: number, nodes: number): number {
  const expected = predict(people, Math.max(2, nodes))
  return (
    expected.publishes * cost.publish +
    (expected.messagesToNodes + expected.toAllNodes * nodes) * cost.receive +
    (ratesOf(people).presence / 2) * cost.watch
  )
}
