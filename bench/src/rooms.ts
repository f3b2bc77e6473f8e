import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import connect from 'postgres'
import { startPostgres } from '../../server/test/postgres.ts'
import { measureFanOut } from './live/fan-out.ts'
import { measureOnline } from './live/online.ts'
import { measureFrame, saturate } from './live/saturation.ts'
import { compareSides, headerOf, openRooms, type Side, startBareRooms, startHitherRooms } from './live/sides.ts'
import { measureDeliveryCost, measureLatency, measurePosts } from './live/stored.ts'
import { printTable } from './table.ts'

/**
 * Compares rooms with a bare `ws` server that does the same: one large room, many small rooms, single broadcasts, stored
 * messages and presence.
 * The runs alternate. The server has production settings, on PostgreSQL, without rate limits. Options: `--before ../before`
 * compares another checkout of the server in the same run, `--only stored` runs one part.
 */
const { values: options } = parseArgs({
  options: { before: { type: 'string' }, only: { type: 'string' }, runs: { type: 'string', default: '3' } },
})
const runs = Number(options.runs)
// A member may broadcast twice a second in a conversation, and ten times in all.
const hot = { rooms: 1, size: 100, inFlight: 8, each: 2 }
const small = { rooms: 10, size: 6, inFlight: 64, each: 2 }
const single = [
  { others: 2, perSecond: 4, seconds: 10 },
  { others: 10, perSecond: 20, seconds: 5 },
  { others: 100, perSecond: 50, seconds: 5 },
  { others: 1000, perSecond: 8, seconds: 5 },
] as const
const stored = [
  { size: 10, perSecond: 20, seconds: 5 },
  { size: 100, perSecond: 4, seconds: 8 },
  { size: 400, perSecond: 4, seconds: 8 },
] as const
const costly = { size: 400, posts: 100 }
const posts = { posts: 2000, inFlight: 64 }
const online = { others: 50, rounds: 100 }
/**
 * Slowly enough that each change also announces the user's row, and all within 16 seconds: the members answer no pings, so the
 * server would close their sockets.
 */
const onlineSlowly = { rounds: 6, pauseMs: 1100 }
const warmPosts = 2000

const postgres = await startPostgres()
const admin = connect(`${postgres.url}/hither`, { max: 1 })
await admin`create database before`
await admin.end()
const sides: Side[] = []
try {
  const folders = { Hither: fileURLToPath(new URL('../..', import.meta.url)), before: options.before }
  for (const [name, folder] of Object.entries(folders)) {
    if (folder === undefined) continue
    const databaseUrl = `${postgres.url}/${name.toLowerCase()}`
    sides.push(await startHitherRooms(name, { folder, databaseUrl, people: peopleOf(options.only) }))
  }
  const [first] = sides as [Side]
  const frameBytes = await wireBytes(first)
  sides.push(await startBareRooms(`${postgres.url}/hither`, frameBytes))
  const parts: Record<string, () => Promise<void>> = {
    hot: () => printSaturated('One room of 100, 8 under way', hot, frameBytes, ['≥ 2.0', '']),
    small: () => printSaturated('10 rooms of 6, 64 under way', small, frameBytes, ['', '≤ 1.1']),
    single: printSingle,
    latency: printLatency,
    stored: printDeliveryCost,
    posts: printPosts,
    online: printOnline,
  }
  for (const [name, print] of Object.entries(parts)) if (!options.only || options.only === name) await print()
} finally {
  for (const side of sides) await side.stop()
  await postgres.close()
}

/** The number of users that a part needs, since their sign-up takes a while. */
function peopleOf(part: string | undefined): number {
  if (part === undefined || part === 'single') return Math.max(...single.map(({ others }) => others + 1))
  return part === 'latency' || part === 'stored' ? costly.size : hot.size
}

async function printSaturated(title: string, shape: typeof hot, frameBytes: number, goals: [string, string]) {
  const names = await createRooms(shape.rooms, shape.size)
  const rows = await compareSides(
    sides,
    runs,
    (side) =>
      withRooms(side, names(side), shape.size, async (rooms) =>
        saturate(side.server, rooms, { ...shape, frameBytes: await measureFrame(rooms[0] ?? []) }),
      ),
    [
      { label: 'deliveries a second', figure: 'perSecond', digits: 0, goal: goals[0] },
      { label: 'CPU µs per delivery', figure: 'cpuMicroseconds', digits: 2, goal: goals[1] },
    ],
  )
  printTable(`${title}, frames of ${frameBytes} bytes, median of ${runs}`, [headerOf(sides), ...rows])
}

async function printSingle() {
  const rows: string[][] = []
  for (const { others, ...pace } of single) {
    const names = await createRooms(1, others + 1)
    const measure = (side: Side) =>
      withRooms(side, names(side), others + 1, ([room = []]) => measureFanOut(side.server, room, pace))
    const at = `1 to ${others} at ${pace.perSecond} a second`
    rows.push(
      ...(await compareSides(sides, runs, measure, [
        { label: `${at}: ms to the last, p50`, figure: 'milliseconds', digits: 2, goal: '' },
        { label: `${at}: CPU µs per delivery`, figure: 'cpuMicroseconds', digits: 1, goal: '' },
      ])),
    )
  }
  printTable('Broadcasts that are not stored, one after the other', [headerOf(sides), ...rows])
}

async function printLatency() {
  const rows: string[][] = []
  for (const { size, ...pace } of stored) {
    const names = await createRooms(1, size)
    // Warms up all servers before any member joins.
    if (rows.length === 0)
      for (const side of sides) for (let n = 0; n < warmPosts; n++) await side.post(names(side)[0] ?? '', `Warm ${n}`)
    const measure = (side: Side) =>
      withRooms(side, names(side), size, async ([room = []]) => ({
        milliseconds: await measureLatency(side, names(side)[0] ?? '', room, pace),
      }))
    const label = `ms to the last of ${size}, p50`
    rows.push(
      ...(await compareSides(sides, runs, measure, [{ label, figure: 'milliseconds', digits: 2, goal: '≤ 1.5' }])),
    )
  }
  printTable('From the call to the last socket: stored messages, when due', [headerOf(sides), ...rows])
}

async function printDeliveryCost() {
  const names = await createRooms(1, costly.size)
  const rows: string[][] = []
  for (const [label, tables] of [
    ['subscribed to messages', undefined],
    ['subscribed to all tables', 'all'],
  ] as const) {
    const measure = (side: Side) =>
      withRooms(
        side,
        names(side),
        costly.size,
        async ([room = []]) => ({
          cpuMicroseconds: await measureDeliveryCost(side, names(side)[0] ?? '', room, costly.posts),
        }),
        tables,
      )
    rows.push(
      ...(await compareSides(sides, runs, measure, [{ label, figure: 'cpuMicroseconds', digits: 2, goal: '≤ 1.5' }])),
    )
  }
  printTable(`Stored messages to ${costly.size}: CPU µs per delivery, the call included`, [headerOf(sides), ...rows])
}

async function printPosts() {
  const names = await createRooms(small.rooms, small.size)
  const rows = await compareSides(
    sides,
    runs,
    (side) => withRooms(side, names(side), small.size, (rooms) => measurePosts(side, names(side), rooms, posts)),
    [
      { label: 'messages a second', figure: 'perSecond', digits: 0, goal: '≥ 0.6' },
      { label: 'CPU µs per message', figure: 'cpuMicroseconds', digits: 0, goal: '' },
    ],
  )
  printTable(`Stored messages without pause, ${posts.inFlight} at a time, 50 rooms of 6`, [headerOf(sides), ...rows])
}

async function printOnline() {
  const measure = async (side: Side) => ({
    ...(await measureOnline(side, online.others, online)),
    slowMilliseconds: (await measureOnline(side, online.others, onlineSlowly)).milliseconds,
  })
  const rows = await compareSides(sides, runs, measure, [
    { label: 'ms until the last has received it, p50', figure: 'milliseconds', digits: 2, goal: '≤ 1.5' },
    { label: 'the same, not more than once a second', figure: 'slowMilliseconds', digits: 2, goal: '≤ 1.5' },
    { label: 'CPU µs, with going offline', figure: 'cpuMicroseconds', digits: 0, goal: '≤ 1.5' },
  ])
  printTable(`A user goes online, ${online.others} friends receive it`, [headerOf(sides), ...rows])
}

/** Creates rooms on every side. */
async function createRooms(count: number, size: number): Promise<(side: Side) => string[]> {
  const names = new Map<Side, string[]>()
  for (const side of sides) {
    const own: string[] = []
    for (let n = 0; n < count; n++) own.push(await side.createRoom(size))
    names.set(side, own)
  }
  return (side) => names.get(side) ?? []
}

async function withRooms<T>(
  side: Side,
  names: readonly string[],
  size: number,
  work: (rooms: Awaited<ReturnType<typeof openRooms>>) => Promise<T>,
  tables?: 'all',
): Promise<T> {
  const rooms = await openRooms(side, names, size, tables)
  try {
    return await work(rooms)
  } finally {
    for (const member of rooms.flat()) member.close()
  }
}

/** The length of a broadcast frame of the server, which the bare server sends too. */
async function wireBytes(side: Side): Promise<number> {
  const [room = []] = await openRooms(side, [await side.createRoom(3)], 2)
  const bytes = await measureFrame(room)
  for (const member of room) member.close()
  return bytes
}
