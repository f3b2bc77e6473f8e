import type { UserId } from '@hither/contract/ids.ts'
import { pino } from 'pino'
import { createRedisBus } from '../../server/src/cluster/redis-bus.ts'
import type { Change } from '../../server/src/events/bus.ts'
import { createHub, type Hub } from '../../server/src/realtime/subscriptions/hub.ts'
import { assumed, ratesOf } from './scaling/assumptions.ts'
import { planned } from './scaling/costs.ts'
import { createCountingRedis } from './scaling/counting-redis.ts'
import { fullestOf, predict, topics } from './scaling/formulas.ts'
import { needsOf } from './scaling/needs.ts'
import { createPopulation, createRandom, friendsOf, type Population } from './scaling/population.ts'
import { simulateStorm } from './scaling/storm.ts'
import { table } from './soak/report.ts'

/**
 * `npm run bench:scaling -- [PEOPLE] [NODES]`: simulates the peak load of a population of friends on several nodes with the bus
 * and hub of the server, and compares the counts with the formulas of `docs/scaling.md`. Exits with 1 if they differ by more
 * than a tenth.
 */
const [people, nodes] = readArguments(process.argv.slice(2))
const tolerance = 0.1
const eventsMin = 40_000
/** The assumed join capacity of a node, in joins per second. Only the reconnect storm uses it. */
const joinsASecond = 1000

/** The number of other participants of a group. Together with direct conversations it gives the assumed mean. */
const groupOthers = 4
const groupShare = (assumed.messageOthers - 1) / (groupOthers - 1)

const random = createRandom(20_261_121)
const startedAt = performance.now()
const population = createPopulation(people, nodes, random)
const redis = createCountingRedis(nodes)
const deliveries = Array<number>(nodes).fill(0)
const presences = Array<number>(nodes).fill(0)
const sockets = Array<number>(nodes).fill(0)
let changes = 0
let rowsRead = 0
const idOf = (person: number) => `u${person}` as UserId
const socketsAt = (person: number, node: number) =>
  Number(population.first[person] === node) + Number(population.second[person] === node)

const buses = await Promise.all(Array.from({ length: nodes }, (_, node) => openNode(node)))
const rates = ratesOf(people)
const all = Object.values(rates).reduce((sum, rate) => sum + rate, 0) - rates.calls
const seconds = Math.ceil(eventsMin / all)
await connectAll(population)
await live(population)
report()

/** Opens a node with the bus and hub of the server and with sockets that count deliveries. */
async function openNode(node: number) {
  const hub = createHub()
  const { bus, close } = await createRedisBus(redis.pairOf(node), 'bench:', pino({ level: 'silent' }), (error) => {
    throw error
  })
  bus.subscribe((message) => {
    if (message.kind === 'changes') hub.publish(message.changes)
    if (message.kind === 'presence')
      for (const userId of message.audience)
        presences[node] = (presences[node] ?? 0) + socketsAt(Number(userId.slice(1)), node)
  })
  return { bus, hub, close }
}

async function connectAll({ online, first, second }: Population): Promise<void> {
  for (const person of online) {
    for (const node of [first[person] ?? -1, second[person] ?? -1]) {
      const found = buses[node]
      if (!found) continue
      sockets[node] = (sockets[node] ?? 0) + 1
      listen(found.hub, idOf(person), node)
      await found.bus.watch(idOf(person))
    }
  }
}

function listen(hub: Hub, userId: UserId, node: number): void {
  const deliver = () => {
    deliveries[node] = (deliveries[node] ?? 0) + 1
  }
  hub.add(userId, { wants: () => true, deliver })
}

async function live(of: Population): Promise<void> {
  const wanted = Object.entries({ ...rates, calls: 0 }).flatMap(([kind, rate]) =>
    Array<string>(Math.round(rate * seconds)).fill(kind),
  )
  for (const kind of wanted) {
    const actor = of.online[Math.floor(random() * of.online.length)] as number
    const friends = friendsOf(of, actor)
    const node = buses[of.first[actor] ?? 0]
    if (!node) continue
    if (kind === 'presence') {
      const audience = [actor, ...friends].map(idOf)
      commit(changeFor(audience))
      await node.bus.publish({ kind: 'presence', audience, joins: [], leaves: [] })
      continue
    }
    const isPing = kind === 'pings' || kind === 'answers'
    const others = isPing ? assumed.pingRecipients : random() < groupShare ? groupOthers : 1
    const audience = [actor, ...someOf(friends, others)].map(idOf)
    commit(changeFor(audience))
  }
}

/** Delivers a change to every node, because every node reads every row of the outbox. */
function commit(change: Change): void {
  changes++
  for (const { bus } of buses) {
    rowsRead++
    bus.deliver({ kind: 'changes', changes: [change] })
  }
}

function changeFor(audience: UserId[]): Change {
  const record = {
    id: audience[0] as UserId,
    username: 'someone',
    display_name: null,
    has_image: false,
    is_online: true,
  }
  return { table: 'users', type: 'INSERT', record, oldRecord: null, audience, committedAt: new Date().toISOString() }
}

function report(): void {
  const expected = predict(people, nodes)
  const { counts } = redis
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
  const fullest = (values: readonly number[]) => (Math.max(...values) * nodes) / total(values)
  const rows: [string, number, number][] = [
    ['people connected', population.online.length, expected.online],
    ['sockets', total(sockets), expected.sockets],
    ['changes a second', changes / seconds, expected.changes],
    ['rows read by all nodes a second', rowsRead / seconds, expected.rowsRead],
    ['publishes a second', counts.publishes / seconds, expected.publishes],
    ['messages into nodes a second', total(counts.received) / seconds, expected.messagesToNodes],
    ['changes delivered a second', total(deliveries) / seconds, expected.deliveries],
    ['presence delivered a second', total(presences) / seconds, expected.presenceDeliveries],
    ['sockets of the fullest node / mean', fullest(sockets), fullestOf(expected.sockets, nodes)],
    ['deliveries of the busiest node / mean', fullest(deliveries), fullestOf(expected.sockets, nodes)],
    ...stormRows(expected),
  ]
  const isOff = ([, counted, formula]: [string, number, number]) => Math.abs(counted / formula - 1) > tolerance
  process.stdout.write(
    `${people} people on ${nodes} nodes, ${seconds} s of the busiest kind, ${((performance.now() - startedAt) / 1000).toFixed(0)} s and ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB here\n\n`,
  )
  process.stdout.write(
    table([
      ['', 'counted', 'formula', 'ratio', ''],
      ...rows.map((row) => [
        row[0],
        figure(row[1]),
        figure(row[2]),
        (row[1] / row[2]).toFixed(3),
        isOff(row) ? 'OFF' : '',
      ]),
    ]),
  )
  process.stdout.write(
    `\nBy the formulas alone, a second: ${figure(expected.socketPings)} pings of sockets, at most ${figure(expected.positionsSent)} positions sent to idle clients, ${figure(expected.beats)} heartbeats of nodes.\n`,
  )
  showNeeds()
  process.exit(rows.some(isOff) ? 1 : 0)
}

function showNeeds(): void {
  const columns = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000].map((count) => [count, needsOf(count)] as const)
  const row = (what: string, read: (needs: ReturnType<typeof needsOf>) => number) => [
    what,
    ...columns.map(([, needs]) => figure(read(needs))),
  ]
  process.stdout.write(
    `\n${table([
      ['people', ...columns.map(([count]) => count.toLocaleString('en'))],
      row('sockets', ({ sockets }) => sockets),
      row('calls a second', ({ calls }) => calls),
      row('writes a second', ({ writes }) => writes),
      row('changes a second', ({ changes }) => changes),
      row('deliveries a second', ({ deliveries }) => deliveries),
      row('cores of nodes', ({ nodeCores }) => nodeCores),
      row('  of a node for the outbox, %', ({ nodeOfOutbox }) => nodeOfOutbox * 100),
      row('nodes of one core', ({ nodes }) => nodes),
      row('cores of PostgreSQL', ({ databaseCores }) => databaseCores),
      row('  of it for the outbox, %', ({ databaseOfOutbox }) => databaseOfOutbox * 100),
      row('cores of Redis', ({ redisCores }) => redisCores),
      row('messages to all nodes a second', ({ toAllNodes }) => toAllNodes),
      row('rows a day, millions', ({ rowsADay }) => rowsADay / 1e6),
    ])}`,
  )
  const storms = [2, 3, 5, 30].map((of) => {
    const joins = (planned.socketsOfNode * topics) / (of - 1)
    const { seconds, rejected } = simulateStorm(joins, joinsASecond)
    return [String(of), figure(joins), figure(seconds), figure(rejected)]
  })
  process.stdout.write(
    `\nA full node (${figure(planned.socketsOfNode)} sockets) dies, the others take ${joinsASecond} joins a second:\n${table([['nodes', 'joins for each other', 'seconds until all are back', 'sent away to try again'], ...storms])}`,
  )
}

/** Simulates the crash of the first node, whose sockets reconnect to the other nodes at once. */
function stormRows(expected: ReturnType<typeof predict>): [string, number, number][] {
  const lost = sockets[0] ?? 0
  const joinsByNode = Array<number>(nodes).fill(0)
  let presenceDeliveries = 0
  for (const person of population.online) {
    const here = socketsAt(person, 0)
    if (here === 0) continue
    for (let socket = 0; socket < here; socket++) {
      const node = 1 + Math.floor(random() * (nodes - 1))
      joinsByNode[node] = (joinsByNode[node] ?? 0) + topics
    }
    const devicesOf = (one: number) =>
      Number((population.first[one] ?? -1) >= 0) + Number((population.second[one] ?? -1) >= 0)
    let onlineDevices = devicesOf(person)
    for (const friend of friendsOf(population, person)) onlineDevices += devicesOf(friend)
    // Friends receive a join for each new connection and a leave for each connection of the dead node.
    presenceDeliveries += 2 * here * onlineDevices
  }
  const mostJoins = Math.max(...joinsByNode)
  const storm = simulateStorm(mostJoins, joinsASecond)
  return [
    ['a node dies: reconnecting sockets', lost, expected.storm.sockets],
    [
      'a node dies: joins of the fullest other',
      mostJoins,
      expected.storm.joinsPerNode * fullestOf(expected.storm.sockets, nodes - 1),
    ],
    ['a node dies: presence delivered', presenceDeliveries, expected.storm.presenceDeliveries],
    [
      'a node dies: seconds until all are back',
      storm.seconds,
      expected.storm.seconds(joinsASecond, expected.storm.joinsPerNode),
    ],
  ]
}

function someOf(friends: Int32Array, count: number): number[] {
  if (friends.length <= count) return [...friends]
  const chosen = new Set<number>()
  while (chosen.size < count) chosen.add(friends[Math.floor(random() * friends.length)] as number)
  return [...chosen]
}

function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2)
}

function readArguments(words: readonly string[]): [number, number] {
  const [count, size] = [Number(words[0] ?? 1_000_000), Number(words[1] ?? 20)]
  if (count >= 10_000 && count <= 2_000_000 && size >= 2 && count / size >= 5000 && words.length <= 2)
    return [count, size]
  process.stderr.write('Usage: npm run bench:scaling -- [PEOPLE, 10000 to 2000000] [NODES, 2 to PEOPLE / 5000]\n')
  process.exit(2)
}
