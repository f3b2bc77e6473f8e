import { pino } from 'pino'
import { type CreatePing } from '../contract/src/pings.ts'
import { createApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/config.ts'
import { openDatabase } from '../server/src/platform/database.ts'
import { migrate } from '../server/src/platform/migrations.ts'
import { buildWebIfStale } from './web-build.ts'

/**
 * `npm run demo`: Hither with a small cast of friends and pins in every state around one place. Its data is in a temporary
 * folder and gone when it stops. The cast acts through the HTTP API, some of it while the server's clock stands in the past.
 */
const password = 'hither-demo'
const minuteMs = 60_000
let clockOffsetMs = 0

await buildWebIfStale()
const config = readConfig(process.env)
const log = pino({ level: 'warn' })
const database = await openDatabase({ temporary: { log } })
await migrate(database.pool)
const app = await createApp({
  config,
  pool: database.pool,
  authSecret: crypto.randomUUID() + crypto.randomUUID(),
  log,
  now: () => new Date(Date.now() + clockOffsetMs),
})
await app.http.listen({ port: config.port, host: config.host })
await seed(`http://${config.host}:${config.port}/api`)
app.start()
process.stdout.write(`
  Hither's demo is running.

    Open      ${config.publicUrl}
    Sign in   ann@example.org / ${password}
              (or bob, cat, dan, eve; eve has asked ann to be friends)
    Stop      Ctrl+C; nothing is kept

`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await app.stop()
    await database.close()
    process.exit(0)
  })
}

async function seed(api: string) {
  clockOffsetMs = -180 * minuteMs
  const tokens: Record<string, string> = {}
  const ask = async <Body>(who: string | null, method: string, path: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json', ...(who && { authorization: `Bearer ${tokens[who]}` }) }
    const response = await fetch(api + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return (response.status === 204 ? null : await response.json()) as Body
  }
  const signIn = async (who: string, path: string, body: object) => {
    tokens[who] = (
      await ask<{ access_token: string }>(null, 'POST', path, { email: `${who}@example.org`, password, ...body })
    ).access_token
  }
  const drop = (who: string, minutesAgo: number, ping: CreatePing) => {
    clockOffsetMs = -minutesAgo * minuteMs
    return ask<{ id: string }>(who, 'POST', '/pings/', ping)
  }
  const answer = (who: string, ping: { id: string }, type: string) =>
    ask(who, 'POST', '/pings/respond', { ping_id: ping.id, response_type: type })

  const cast = ['ann', 'bob', 'cat', 'dan', 'eve']
  for (const who of cast) await signIn(who, '/auth/signup', { username: who })
  const friends = [
    ['bob', 'ann'],
    ['cat', 'ann'],
    ['dan', 'ann'],
    ['bob', 'cat'],
    ['dan', 'cat'],
  ] as const
  for (const [from, to] of friends) {
    const request = await ask<{ id: string }>(from, 'POST', '/friends/request', { username: to })
    await ask(to, 'PATCH', `/friends/${request.id}/respond`, { action: 'accepted' })
  }
  await ask('eve', 'POST', '/friends/request', { username: 'ann' })

  const lunch = await drop('ann', 170, {
    name: 'Lunch in the park',
    latitude: 40.7536,
    longitude: -73.9832,
    duration_minutes: 60,
  })
  await answer('bob', lunch, 'accepted')
  // Their first sign-ins would have run out by now.
  clockOffsetMs = -40 * minuteMs
  for (const who of cast) await signIn(who, '/auth/login', {})

  const coffee = await drop('bob', 36, {
    name: 'Coffee at Nero',
    message: 'Window table. I have an hour, then a train.',
    latitude: 40.7614,
    longitude: -73.9776,
    duration_minutes: 60,
    address: '6th Avenue',
  })
  const chess = await drop('cat', 20, {
    name: 'Chess in the square',
    message: 'Bring your own clock',
    latitude: 40.7467,
    longitude: -73.9882,
    duration_minutes: 120,
    is_public: true,
  })
  const run = await drop('ann', 12, {
    name: 'Run in the park',
    message: 'Easy pace, 5 km',
    latitude: 40.769,
    longitude: -73.985,
    duration_minutes: 30,
  })
  await answer('ann', coffee, 'tentative')
  await answer('dan', chess, 'accepted')
  await answer('bob', run, 'accepted')
  await answer('cat', run, 'tentative')
  await answer('dan', run, 'declined')
  const later = (minutes: number) => new Date(Date.now() + minutes * minuteMs).toISOString()
  await drop('dan', 5, {
    name: 'Concert at the pier',
    message: 'Doors open at eight',
    latitude: 40.7424,
    longitude: -73.9981,
    duration_minutes: 240,
    activates_at: later(150),
  })
  await drop('ann', 3, {
    name: 'Sunday brunch',
    latitude: 40.7794,
    longitude: -73.9632,
    duration_minutes: 120,
    activates_at: later(26 * 60),
  })
  clockOffsetMs = 0
}
