import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { AuthSession } from '@hither/contract/auth/auth.ts'
import { createPing, type Ping, respondToPing } from '@hither/contract/pings.ts'
import { WebSocket } from 'ws'
import { startHither } from './hither.ts'
import { openAsWebApp, openOneChannel } from './live/connections.ts'
import { call, signUp, signUpFriends } from './people.ts'
import { type Measured, median, start } from './process.ts'

/**
 * Compares the cost of a delivery and of an idle connection with a bare `ws` server that does the same fan-out. Each response
 * to a ping is delivered to all users who see it. The cost of the call without listeners is subtracted on both sides.
 * `--server ../before` measures another checkout.
 */
const people = 20
const socketsOf = { delivery: 20 }
/** The users whose connections warm up a new process. */
const warmUsers = 20
const changes = 200
/** Three heartbeat rounds. */
const idleSeconds = 24
const runs = 3
/** Idle users, with few sockets each, since the number of bindings of a user is limited. */
const idleUsers = { people: 200, oneChannel: 20, asWebApp: 10 }

const { values: options } = parseArgs({
  options: { server: { type: 'string', default: fileURLToPath(new URL('../..', import.meta.url)) } },
})
const bare = fileURLToPath(new URL('./bare-fanout.ts', import.meta.url))

const folder = await mkdtemp(join(tmpdir(), 'hither-bench-'))
const startMeasured = () =>
  startHither({ DATA_DIR: folder, LOG_LEVEL: 'silent', RATE_LIMITS: 'off' }, { folder: options.server })
let hither = await startMeasured()
try {
  const { sessions, ping } = await populate(hither.url)
  const idleSessions: AuthSession[] = []
  for (let n = 0; n < idleUsers.people; n++) idleSessions.push(await signUp(hither.url, `app${n}`))
  const [owner, guest] = sessions as [AuthSession, AuthSession]
  const answer = (round: number) =>
    call(
      hither.url,
      respondToPing,
      { body: { ping_id: ping.id, response_type: round % 2 === 0 ? 'accepted' : 'tentative' } },
      guest,
    )

  const frameBytes = await measureFrame(hither.url, owner, answer)
  const limit = await start(bare, { ready: 'ready', environment: { FRAME_BYTES: String(frameBytes) } })
  try {
    // Idle connections are measured first, because load leaves garbage in the heap.
    const idle = {
      hither: await costInNewProcess(openOneChannel, idleUsers.oneChannel),
      limit: await costPerConnection(limit, () => openBare(limit.url, idleUsers.people * idleUsers.oneChannel)),
      app: await costInNewProcess(openAsWebApp, idleUsers.asWebApp),
    }
    print([
      ['', 'Hither', 'bare ws', 'ratio', 'goal'],
      [
        `KB per idle connection, one channel (${idleUsers.people * idleUsers.oneChannel})`,
        (idle.hither.bytes / 1024).toFixed(1),
        (idle.limit.bytes / 1024).toFixed(1),
        (idle.hither.bytes / idle.limit.bytes).toFixed(2),
        '≤ 14 KB',
      ],
      [
        `KB per idle connection, joined as the web app joins (${idleUsers.people * idleUsers.asWebApp})`,
        (idle.app.bytes / 1024).toFixed(1),
        (idle.limit.bytes / 1024).toFixed(1),
        (idle.app.bytes / idle.limit.bytes).toFixed(2),
        '≤ 20 KB',
      ],
      [
        'CPU µs to connect and join',
        idle.hither.microseconds.toFixed(0),
        idle.limit.microseconds.toFixed(0),
        (idle.hither.microseconds / idle.limit.microseconds).toFixed(2),
        '',
      ],
      // The bare server has no heartbeat.
      ['CPU µs a second per idle joined connection', idle.hither.microsecondsASecond.toFixed(1), '–', '', ''],
    ])
    const storm = await measureStorm(hither.url, idleSessions)
    const bareCall = () => fetch(limit.url, { method: 'POST', body: '{}' }).then((response) => response.text())
    const results = { hither: [] as number[], limit: [] as number[] }
    for (let run = 0; run < runs; run++) {
      results.hither.push(
        await costPerDelivery(hither, answer, () => openAll(hither.url, sessions, socketsOf.delivery)),
      )
      results.limit.push(await costPerDelivery(limit, bareCall, () => openBare(limit.url, people * socketsOf.delivery)))
    }
    const cost = { hither: median(results.hither), limit: median(results.limit) }
    print([
      ['', 'Hither', 'bare ws', 'ratio', 'goal'],
      [
        `CPU µs per delivery (${people * socketsOf.delivery} sockets, ${frameBytes} bytes, median of ${runs})`,
        cost.hither.toFixed(2),
        cost.limit.toFixed(2),
        (cost.hither / cost.limit).toFixed(2),
        '≤ 1.5',
      ],
      [
        `s until ${idleUsers.people * idleUsers.oneChannel} that come at once are all joined`,
        storm.seconds.toFixed(1),
        '–',
        '',
        '≤ 10',
      ],
      ['joins refused as too many for now, and made again', String(storm.refused), '–', '', ''],
    ])
  } finally {
    await limit.stop()
  }

  /** The memory of earlier calls would be used again, and not be counted. */
  async function costInNewProcess(open: typeof openOneChannel, each: number): Promise<ConnectionCost> {
    await hither.stop()
    hither = await startMeasured()
    const { url } = hither
    for (const socket of await openAll(url, idleSessions.slice(0, warmUsers), each, open)) socket.terminate()
    return costPerConnection(hither, () => openAll(url, idleSessions, each, open))
  }
} finally {
  await hither.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Signs up the users and creates a ping of the first user for all others, who are friends. */
async function populate(url: string): Promise<{ sessions: AuthSession[]; ping: Ping }> {
  const sessions = await signUpFriends(url, people)
  const body = { name: 'Bench', latitude: 40, longitude: -73, duration_minutes: 240 } as const
  return { sessions, ping: (await call(url, createPing, { body }, sessions[0])) as Ping }
}

/** The length of the frame of one response, in bytes. */
async function measureFrame(
  url: string,
  owner: AuthSession,
  act: (round: number) => Promise<unknown>,
): Promise<number> {
  const socket = await openOneChannel(url, owner)
  const bytes = new Promise<number>((resolve) => {
    socket.on('message', (data: Buffer) => {
      if (data.includes('postgres_changes') && data.includes('ping_responses')) resolve(data.length)
    })
  })
  await act(1)
  const length = await bytes
  socket.terminate()
  return length
}

/** The CPU time in microseconds of the calls with all listeners, minus that of the same calls without listeners. */
async function costPerDelivery(
  server: Measured,
  act: (round: number) => Promise<unknown>,
  open: () => Promise<WebSocket[]>,
): Promise<number> {
  const alone = await cpuOf(server, () => repeat(act))
  const sockets = await open()
  let arrived = 0
  for (const socket of sockets) socket.on('message', () => arrived++)
  await repeat(act, 10)
  await until(() => arrived >= 10 * sockets.length)
  arrived = 0
  const expected = changes * sockets.length
  const together = await cpuOf(server, async () => {
    await repeat(act)
    await until(() => arrived >= expected)
  })
  for (const socket of sockets) socket.terminate()
  await settle()
  return (together - alone) / arrived
}

interface ConnectionCost {
  readonly bytes: number
  readonly microseconds: number
  readonly microsecondsASecond: number
}

async function costPerConnection(server: Measured, open: () => Promise<WebSocket[]>): Promise<ConnectionCost> {
  await settle()
  const before = await server.residentBytes()
  let sockets: WebSocket[] = []
  const cpu = await cpuOf(server, async () => {
    sockets = await open()
  })
  await settle()
  const after = await server.residentBytes()
  const used = await cpuOf(server, () => new Promise((resolve) => setTimeout(resolve, idleSeconds * 1000)))
  for (const socket of sockets) socket.terminate()
  const count = sockets.length
  return {
    bytes: (after - before) / count,
    microseconds: cpu / count,
    microsecondsASecond: used / idleSeconds / count,
  }
}

/** Throws if a join gets no reply within the timeout of the official client. */
async function measureStorm(
  url: string,
  sessions: readonly AuthSession[],
): Promise<{ seconds: number; refused: number }> {
  const startedAt = performance.now()
  let refused = 0
  const opened = sessions.flatMap((session) =>
    Array.from({ length: idleUsers.oneChannel }, () =>
      openOneChannel(url, session, () => {
        refused++
      }),
    ),
  )
  const sockets = await Promise.all(opened)
  const seconds = (performance.now() - startedAt) / 1000
  for (const socket of sockets) socket.terminate()
  await settle()
  return { seconds, refused }
}

async function cpuOf(server: Measured, work: () => Promise<unknown>): Promise<number> {
  const before = await server.cpuMicroseconds()
  await work()
  return (await server.cpuMicroseconds()) - before
}

async function repeat(act: (round: number) => Promise<unknown>, times = changes): Promise<void> {
  for (let round = 0; round < times; round++) await act(round)
}

async function openAll(
  url: string,
  sessions: readonly AuthSession[],
  each: number,
  open: (url: string, session: AuthSession) => Promise<WebSocket> = openOneChannel,
): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  for (const session of sessions)
    sockets.push(...(await Promise.all(Array.from({ length: each }, () => open(url, session)))))
  return sockets
}

async function openBare(url: string, count: number): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  for (let index = 0; index < count; index++) {
    const socket = new WebSocket(url.replace('http', 'ws'), { perMessageDeflate: false })
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send('{"event":"phx_join"}')
    await new Promise((resolve) => socket.once('message', resolve))
    sockets.push(socket)
  }
  return sockets
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setImmediate(resolve))
}

/** Waits until background work has finished. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2000))
}

function print(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows)
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
}
