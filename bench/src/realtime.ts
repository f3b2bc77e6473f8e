import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AuthSession } from '@hither/contract/auth.ts'
import { realtimePath } from '@hither/contract/feeds.ts'
import { createPing, type Ping, respondToPing } from '@hither/contract/pings.ts'
import { WebSocket } from 'ws'
import { call, signUpFriends } from './people.ts'
import { type Measured, median, start } from './process.ts'

/**
 * What a delivery and an idle connection cost beside a bare `ws` server that does the same fan-out. One answer to a ping goes
 * to all who see it; what the call itself costs without any listener is taken off, on both sides.
 */
const people = 20
const socketsOf = { delivery: 20, idle: 250 }
const changes = 200
/** Three rounds of asking each connection for a sign of life. */
const idleSeconds = 24
const runs = 3
/** As the official client: then it gives a join up, and asks again. */
const joinWithinMs = 10_000
const againAfterMs = 1000

const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
const bare = fileURLToPath(new URL('./bare-fanout.ts', import.meta.url))

const folder = await mkdtemp(join(tmpdir(), 'hither-bench-'))
const hither = await start(main, {
  ready: 'Hither is running',
  environment: { DATA_DIR: folder, LOG_LEVEL: 'silent', RATE_LIMITS: 'off' },
})
try {
  const { sessions, ping } = await populate(hither.url)
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
    // First, while what the measured programs hold is still theirs alone and not left over from the load.
    const idle = {
      hither: await costPerConnection(hither, () => openAll(hither.url, sessions, socketsOf.idle)),
      limit: await costPerConnection(limit, () => openBare(limit.url, people * socketsOf.idle)),
    }
    const storm = await measureStorm(hither.url, sessions)
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
        `KB per idle joined connection (${people * socketsOf.idle})`,
        (idle.hither.bytes / 1024).toFixed(1),
        (idle.limit.bytes / 1024).toFixed(1),
        (idle.hither.bytes / idle.limit.bytes).toFixed(2),
        '≤ 20 KB',
      ],
      [
        'CPU µs to connect and join',
        idle.hither.microseconds.toFixed(0),
        idle.limit.microseconds.toFixed(0),
        (idle.hither.microseconds / idle.limit.microseconds).toFixed(2),
        '',
      ],
      // The bare one never asks whether anybody is still there.
      ['CPU µs a second per idle joined connection', idle.hither.microsecondsASecond.toFixed(1), '–', '', ''],
      [
        `s until ${people * socketsOf.idle} that come at once are all joined`,
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
} finally {
  await hither.stop()
  await rm(folder, { recursive: true, force: true })
}

/** A ping of the first person's to all others, who are friends of theirs. */
async function populate(url: string): Promise<{ sessions: AuthSession[]; ping: Ping }> {
  const sessions = await signUpFriends(url, people)
  const body = { name: 'Bench', latitude: 40, longitude: -73, duration_minutes: 240 } as const
  return { sessions, ping: (await call(url, createPing, { body }, sessions[0])) as Ping }
}

/** How long, in bytes, the frame of one answer is. */
async function measureFrame(
  url: string,
  owner: AuthSession,
  act: (round: number) => Promise<unknown>,
): Promise<number> {
  const socket = await openOne(url, owner)
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

/** Microseconds of processor time: of the calls with everyone listening, less that of the same calls with nobody there. */
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

async function costPerConnection(
  server: Measured,
  open: () => Promise<WebSocket[]>,
): Promise<{ bytes: number; microseconds: number; microsecondsASecond: number }> {
  await settle()
  const before = await server.residentBytes()
  let sockets: WebSocket[] = []
  const cpu = await cpuOf(server, async () => {
    sockets = await open()
  })
  await settle()
  const after = await server.residentBytes()
  const kept = await cpuOf(server, () => new Promise((resolve) => setTimeout(resolve, idleSeconds * 1000)))
  for (const socket of sockets) socket.terminate()
  const count = sockets.length
  return {
    bytes: (after - before) / count,
    microseconds: cpu / count,
    microsecondsASecond: kept / idleSeconds / count,
  }
}

/** Throws where a join is not answered before the official client would give it up. */
async function measureStorm(
  url: string,
  sessions: readonly AuthSession[],
): Promise<{ seconds: number; refused: number }> {
  const startedAt = performance.now()
  let refused = 0
  const opened = sessions.flatMap((session) =>
    Array.from({ length: socketsOf.idle }, () =>
      openOne(url, session, () => {
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

async function openAll(url: string, sessions: readonly AuthSession[], each: number): Promise<WebSocket[]> {
  const sockets: WebSocket[] = []
  for (const session of sessions)
    sockets.push(...(await Promise.all(Array.from({ length: each }, () => openOne(url, session)))))
  return sockets
}

/** Joined to every answer to a ping that this person may see, as the web app is; again after a second where that is refused. */
function openOne(url: string, session: AuthSession, onRefused?: () => void): Promise<WebSocket> {
  const address = `${url.replace('http', 'ws')}/api${realtimePath}/websocket?apikey=bench&vsn=2.0.0`
  const socket = new WebSocket(address, { perMessageDeflate: false })
  const config = {
    broadcast: { ack: false, self: false },
    presence: { key: '' },
    postgres_changes: [{ event: '*', schema: 'public', table: 'ping_responses' }],
    private: false,
  }
  return new Promise((resolve, reject) => {
    let deadline: NodeJS.Timeout | undefined
    const ask = () => {
      deadline = setTimeout(() => reject(new Error('A join was not answered')), joinWithinMs)
      socket.send(
        JSON.stringify(['1', '1', 'realtime:changes', 'phx_join', { config, access_token: session.access_token }]),
      )
    }
    socket.once('error', reject)
    socket.once('open', ask)
    const handle = (data: Buffer) => {
      const [, , , event, payload] = JSON.parse(String(data)) as [
        unknown,
        unknown,
        unknown,
        string,
        { status?: string },
      ]
      if (event === 'phx_reply') {
        clearTimeout(deadline)
        if (payload.status === 'ok') return
        if (!onRefused) return reject(new Error(`A join was refused: ${data}`))
        onRefused()
        setTimeout(ask, againAfterMs)
      }
      // Says that it is live.
      if (event !== 'system') return
      socket.off('message', handle)
      resolve(socket)
    }
    socket.on('message', handle)
  })
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

/** Time for whatever goes on in the background to be over. */
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
