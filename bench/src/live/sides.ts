import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AuthSession } from '@hither/contract/auth/auth.ts'
import type { ConversationId } from '@hither/contract/ids.ts'
import { startHither } from '../hither.ts'
import { makeGroup, say, signUpFriends } from '../people.ts'
import { type Measured, median, start } from '../process.ts'
import { joinBare, joinHither, joinPresence, type Member } from './member.ts'

/** A server that is compared with the others. A member is named by the number of their user, from 0. */
export interface Side {
  readonly name: string
  readonly server: Measured
  /** The name of a room in which the first `size` users are. */
  createRoom(size: number): Promise<string>
  /** Joins a room. With `tables`, the member also receives the changes of all other tables, as the web app does. */
  join(room: string, seat: number, tables?: 'all'): Promise<Member>
  /** Stores a message of the first user and sends it to the room. */
  post(room: string, text: string): Promise<unknown>
  /** Joins as a user who is friends with the first one only. `say` goes online, and then offline. */
  joinOnline(seat: number): Promise<Member>
  stop(): Promise<void>
}

/** Starts a checkout of the server with production settings, without rate limits, and signs up friends of the first user. */
export async function startHitherRooms(
  name: string,
  { folder, databaseUrl, people: count }: { folder: string; databaseUrl: string; people: number },
): Promise<Side> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hither-bench-'))
  const server = await startHither(
    {
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: 'a secret for the bench, long enough to sign',
      BACKUPS_ENABLED: 'off',
      LOG_LEVEL: 'warn',
      RATE_LIMITS: 'off',
      LOAD_SHEDDING: 'off',
      MAP_ONLINE: 'off',
    },
    { folder },
  )
  const people = await signUpFriends(server.url, count)
  const sessionOf = (seat: number) => people[seat] as AuthSession
  let rooms = 0
  return {
    name,
    server,
    createRoom: (size) => makeGroup(server.url, people.slice(0, size), `Room ${rooms++}`),
    join: (room, seat, tables) => joinHither(server.url, sessionOf(seat), room, tables),
    post: (room, text) => say(server.url, sessionOf(0), room as ConversationId, text),
    joinOnline: (seat) => joinPresence(server.url, sessionOf(seat)),
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export async function startBareRooms(databaseUrl: string, frameBytes: number): Promise<Side> {
  const server = await start(fileURLToPath(new URL('bare-rooms.ts', import.meta.url)), {
    ready: 'ready',
    environment: {
      // The frame header has two or four bytes.
      FRAME_BYTES: String(frameBytes - (frameBytes < 128 ? 2 : 4)),
      DATABASE_URL: databaseUrl,
    },
  })
  let rooms = 0
  return {
    name: 'bare ws',
    server,
    createRoom: async () => `room ${rooms++}`,
    join: (room) => joinBare(server.url, room),
    post: (room, content) => fetch(server.url, { method: 'POST', body: JSON.stringify({ room, content }) }),
    joinOnline: () => joinBare(server.url, 'online'),
    stop: server.stop,
  }
}

/**
 * Measures all sides alternately. Returns one row for each figure: the median of each side, and the ratio of the first side
 * to the last one, which is the baseline.
 */
export async function compareSides<Figure extends string>(
  sides: readonly Side[],
  runs: number,
  measure: (side: Side) => Promise<Record<Figure, number>>,
  rows: readonly { label: string; figure: Figure; digits: number; goal: string }[],
): Promise<string[][]> {
  const results = sides.map(() => [] as Record<Figure, number>[])
  for (let run = 0; run < runs; run++)
    for (const [index, side] of sides.entries()) results[index]?.push(await measure(side))
  return rows.map(({ label, figure, digits, goal }) => {
    const values = results.map((all) => median(all.map((result) => result[figure])))
    const baseline = values.at(-1) ?? Number.NaN
    const ratios = values.slice(0, -1).map((value) => (value / baseline).toFixed(2))
    return [label, ...values.map((value) => value.toFixed(digits)), ...ratios, goal]
  })
}

export function headerOf(sides: readonly Side[]): string[] {
  const names = sides.map(({ name }) => name)
  return ['', ...names, ...names.slice(0, -1).map((name) => `ratio of ${name}`), 'goal']
}

/** Lets the first `size` users join each room. */
export async function openRooms(
  side: Side,
  names: readonly string[],
  size: number,
  tables?: 'all',
): Promise<Member[][]> {
  const rooms: Member[][] = []
  for (const name of names)
    rooms.push(await Promise.all(Array.from({ length: size }, (_, seat) => side.join(name, seat, tables))))
  return rooms
}
