import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AuthSession } from '@hither/contract/auth.ts'
import { type ConversationId } from '@hither/contract/ids.ts'
import { startPostgres } from '../../server/test/postgres.ts'
import { joinBare, joinHither, type Member } from './live/member.ts'
import { measureFrame, type Room, type Saturated, saturate } from './live/saturation.ts'
import { makeGroup, say, signUpFriends } from './people.ts'
import { type Measured, median, start } from './process.ts'
import { printTable } from './table.ts'

/**
 * Rooms beside a bare `ws` server that does the same: one hot room, many small ones, and stored messages to the last socket of a
 * room. Runs of both take turns. The server as in production, on PostgreSQL, without limits.
 */
const runs = 3
const hot = { rooms: 1, size: 100, inFlight: 8, each: 30 }
const small = { rooms: 50, size: 6, inFlight: 64, each: 30 }
const stored = [
  { size: 10, perSecond: 20, seconds: 5 },
  { size: 100, perSecond: 4, seconds: 8 },
] as const
const warmPosts = 2000
const program = (path: string) => fileURLToPath(new URL(path, import.meta.url))

interface Side {
  readonly server: Measured
  join(room: string, seat: number): Promise<Member>
  post(room: string, text: string): Promise<unknown>
}

const postgres = await startPostgres()
const folder = await mkdtemp(join(tmpdir(), 'hither-bench-'))
const hither = await start(program('../../server/src/main.ts'), {
  ready: 'Hither is running',
  environment: {
    NODE_ENV: 'production',
    DATA_DIR: folder,
    DATABASE_URL: `${postgres.url}/hither`,
    AUTH_SECRET: 'a secret for the bench, long enough to sign',
    BACKUPS: 'off',
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
    LOAD_SHEDDING: 'off',
  },
})
try {
  const people = await signUpFriends(hither.url, hot.size)
  const groups: Record<'hot' | 'small' | `stored ${number}`, string[]> = {
    hot: [await makeGroup(hither.url, people, 'Hot')],
    small: await groupsOf(people.slice(0, small.size), small.rooms),
  }
  for (const { size } of stored) groups[`stored ${size}`] = await groupsOf(people.slice(0, size), 1)

  const frameBytes = await wireBytes(groups.hot[0] ?? '', people)
  const bare = await start(program('./live/bare-rooms.ts'), {
    ready: 'ready',
    environment: {
      // Two or four bytes of head are the frame's own.
      FRAME_BYTES: String(frameBytes - (frameBytes < 128 ? 2 : 4)),
      DATABASE_URL: `${postgres.url}/hither`,
    },
  })
  const sides: Record<'hither' | 'bare', Side> = {
    hither: {
      server: hither,
      join: (room, seat) => {
        const { access_token, user } = people[seat] as AuthSession
        return joinHither(hither.url, access_token, user.id, room)
      },
      post: (room, text) => say(hither.url, people[0] as AuthSession, room as ConversationId, text),
    },
    bare: {
      server: bare,
      join: (room) => joinBare(bare.url, room),
      post: (room, content) => fetch(bare.url, { method: 'POST', body: JSON.stringify({ room, content }) }),
    },
  }
  try {
    await printSaturated('One room of 100, 8 under way', groups.hot, hot, ['≥ 2.0', ''])
    await printSaturated('50 rooms of 6, 64 under way', groups.small, small, ['', '≤ 1.3'])
    await printStored()
  } finally {
    await bare.stop()
  }

  async function printSaturated(title: string, names: readonly string[], shape: typeof hot, goals: [string, string]) {
    const results: Record<'hither' | 'bare', Saturated[]> = { hither: [], bare: [] }
    for (let run = 0; run < runs; run++)
      for (const side of ['hither', 'bare'] as const) results[side].push(await runSaturated(sides[side], names, shape))
    const of = (side: 'hither' | 'bare', key: keyof Saturated) => median(results[side].map((result) => result[key]))
    const row = (label: string, key: keyof Saturated, digits: number, goal: string) => [
      label,
      of('hither', key).toFixed(digits),
      of('bare', key).toFixed(digits),
      (of('hither', key) / of('bare', key)).toFixed(2),
      goal,
    ]
    printTable(`${title}, frames of ${frameBytes} bytes, median of ${runs}`, [
      ['', 'Hither', 'bare ws', 'ratio', 'goal'],
      row('deliveries a second', 'perSecond', 0, goals[0]),
      row('CPU µs per delivery', 'cpuMicroseconds', 2, goals[1]),
    ])
  }

  async function printStored() {
    const rows = [['', 'Hither', 'bare ws', 'ratio', 'goal']]
    // Nobody is there yet: what is measured is a server that has been running for a while.
    for (const side of ['hither', 'bare'] as const)
      for (let n = 0; n < warmPosts; n++)
        await sides[side].post(groups[`stored ${stored[0].size}`]?.[0] ?? '', `Warm ${n}`)
    for (const { size, perSecond, seconds } of stored) {
      const names = groups[`stored ${size}`] ?? []
      const results: Record<'hither' | 'bare', number[]> = { hither: [], bare: [] }
      for (let run = 0; run < runs; run++)
        for (const side of ['hither', 'bare'] as const) {
          const [room = []] = await open(sides[side], names, size)
          results[side].push(
            await toTheLast(room, perSecond, seconds, (text) => sides[side].post(names[0] ?? '', text)),
          )
          for (const member of room) member.close()
        }
      const [ours, theirs] = [median(results.hither), median(results.bare)]
      rows.push([
        `ms to the last of ${size}, p50`,
        ours.toFixed(2),
        theirs.toFixed(2),
        (ours / theirs).toFixed(2),
        '≤ 1.5',
      ])
    }
    printTable('From the call to the last socket: stored messages, when due', rows)
  }
} finally {
  await hither.stop()
  await postgres.close()
  await rm(folder, { recursive: true, force: true })
}

/** All of a run sit down anew, so that each may say as much at once as it may. */
async function runSaturated(side: Side, names: readonly string[], shape: typeof hot): Promise<Saturated> {
  const rooms = await open(side, names, shape.size)
  const frameBytes = await measureFrame(rooms[0] ?? [])
  const result = await saturate(side.server, rooms, { ...shape, frameBytes })
  for (const member of rooms.flat()) member.close()
  return result
}

async function open(side: Side, names: readonly string[], size: number): Promise<Room[]> {
  const seats = Array.from({ length: size }, (_, seat) => seat)
  const rooms: Room[] = []
  for (const name of names) rooms.push(await Promise.all(seats.map((seat) => side.join(name, seat))))
  return rooms
}

/** Milliseconds from when a message was due to be sent until it had come to everyone: the middle of all. */
async function toTheLast(
  room: Room,
  perSecond: number,
  seconds: number,
  post: (text: string) => Promise<unknown>,
): Promise<number> {
  const results: number[] = []
  for (let round = 0; round < perSecond * seconds; round++) {
    const dueAt = performance.now()
    const arrivals = room.map((member) => member.next())
    const posted = post('See you at eight')
    results.push(Math.max(...(await Promise.all(arrivals))) - dueAt)
    await posted
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt + 1000 / perSecond - performance.now())))
  }
  return median(results)
}

async function groupsOf(people: readonly AuthSession[], count: number): Promise<string[]> {
  const groups: string[] = []
  for (let n = 0; n < count; n++) groups.push(await makeGroup(hither.url, people, `Room ${n}`))
  return groups
}

async function wireBytes(name: string, people: readonly AuthSession[]): Promise<number> {
  const join = (seat: number) => {
    const { access_token, user } = people[seat] as AuthSession
    return joinHither(hither.url, access_token, user.id, name)
  }
  const room = await Promise.all([join(0), join(1)])
  const bytes = await measureFrame(room)
  for (const member of room) member.close()
  return bytes
}
