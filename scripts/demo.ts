import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import type { GuestView } from '../contract/src/guests.ts'
import type { CreatePing } from '../contract/src/pings.ts'
import { createApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/config.ts'
import { migrate } from '../server/src/platform/db/migrations.ts'
import { openDatabase } from '../server/src/platform/db/open-database.ts'
import { buildWebIfStale } from './web-build.ts'

/**
 * `npm run demo`: starts Hither with sample users and pins in every state. Its data is in a temporary folder that is deleted
 * when it stops. The sample data is created through the HTTP API, partly while the clock of the server is set to the past.
 */
const password = 'hither-demo'
const minuteMs = 60_000
let clockOffsetMs = 0

await buildWebIfStale()
// An invalid setting ends the demo before its database starts.
readConfig(process.env)
const log = pino({ level: 'warn' })
const database = await openDatabase({ temporary: { log } })
if (database.builtIn === null) throw new Error('The temporary database has no folder.')
// Uploads, pictures and backups of the demo are deleted with its database, and those of a real server stay untouched.
const { dataDir } = database.builtIn
const config = readConfig({
  ...process.env,
  DATA_DIR: dataDir,
  BACKUP_DIR: '',
  BACKUPS_ENABLED: 'off',
  STORAGE_URL: '',
})
await migrate(database.pool)
const app = await createApp({
  config,
  pool: database.pool,
  authSecret: crypto.randomUUID() + crypto.randomUUID(),
  log,
  now: () => new Date(Date.now() + clockOffsetMs),
})
await app.http.listen({ port: config.port, host: config.host })
const { friendLink, publicPing } = await seed(`http://${config.host}:${config.port}/api`)
app.start()
process.stdout.write(`
  Hither's demo is running.

    Open      ${config.publicUrl}
    Sign in   ann@example.org / ${password}
              (or bob, cat, dan, eve; eve has asked ann to be friends.
              dan reads Arabic, and eve German)
    Add ann   ${friendLink}
              (a friend link, for a visitor or for eve)
    Respond   ${config.publicUrl}/pins/${publicPing}
              (a public pin of ann, for a visitor)
    Stop      Ctrl+C; all data is deleted

`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await app.stop()
    await database.close()
    process.exit(0)
  })
}

/** Returns a friend link and the id of a public ping of ann. */
async function seed(api: string): Promise<{ friendLink: string; publicPing: string }> {
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
  const ids: Record<string, string> = {}
  const signIn = async (who: string, path: string, body: object) => {
    const credentials = { email: `${who}@example.org`, password, ...body }
    const session = await ask<{ access_token: string; user: { id: string } }>(null, 'POST', path, credentials)
    tokens[who] = session.access_token
    ids[who] = session.user.id
  }
  const drop = (who: string, minutesAgo: number, ping: CreatePing) => {
    clockOffsetMs = -minutesAgo * minuteMs
    return ask<{ id: string }>(who, 'POST', '/pings/', ping)
  }
  const respondAsGuest = (ping: { id: string }, name: string, type: string) => {
    const token = randomBytes(32).toString('base64url')
    return ask<GuestView>(null, 'POST', `/pings/${ping.id}/guests`, { token, name, response_type: type })
  }
  const answer = (who: string, ping: { id: string }, type: string) =>
    ask(who, 'POST', '/pings/respond', { ping_id: ping.id, response_type: type })

  const cast = ['ann', 'bob', 'cat', 'dan', 'eve']
  for (const who of cast) await signIn(who, '/auth/signup', { username: who })
  await ask('dan', 'PATCH', `/users/${ids['dan']}`, { locale: 'ar' })
  await ask('eve', 'PATCH', `/users/${ids['eve']}`, { locale: 'de' })
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
  const annsFriends = await ask<{ user_id: string; username: string }[]>('ann', 'GET', '/friends/')
  const idsOf = (...names: string[]) =>
    annsFriends.flatMap(({ user_id, username }) => (names.includes(username) ? [user_id] : []))
  const circle = (name: string, emoji: string, members: readonly string[]) =>
    ask('ann', 'POST', '/circles', { name, emoji, member_ids: idsOf(...members) })
  await circle('Close friends', '☕', ['bob', 'cat'])
  await circle('Band', '🎸', ['cat', 'dan'])

  const lunch = await drop('ann', 170, {
    name: 'Lunch in the park',
    latitude: 40.7536,
    longitude: -73.9832,
    duration_minutes: 60,
  })
  await answer('bob', lunch, 'accepted')
  // The access tokens of the first sign-ins have expired.
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
    guest_policy: 'approval',
    exact_place_for: 'going',
  })
  const run = await drop('ann', 12, {
    name: 'Run in the park',
    message: 'Easy pace, 5 km',
    latitude: 40.769,
    longitude: -73.985,
    duration_minutes: 30,
  })
  const picnic = await drop('ann', 8, {
    name: 'Picnic on the lawn',
    message: 'By the big oak. There is lemonade.',
    latitude: 40.7721,
    longitude: -73.9739,
    duration_minutes: 240,
    is_public: true,
    guest_policy: 'approval',
  })
  await answer('dan', picnic, 'accepted')
  const { guest: mia } = await respondAsGuest(picnic, 'Mia', 'accepted')
  await ask('ann', 'POST', `/pings/${picnic.id}/guests/${mia.id}/approve`)
  await answer('eve', picnic, 'tentative')
  await respondAsGuest(picnic, 'Noah', 'accepted')
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
  const startChat = (participants: string[], name?: string) =>
    ask<{ id: string }>('ann', 'POST', '/messages/conversations/', { participant_ids: idsOf(...participants), name })
  const say = async (who: string, minutesAgo: number, chat: { id: string }, message: object) => {
    clockOffsetMs = -minutesAgo * minuteMs
    const body = { conversation_id: chat.id, ...message }
    return (await ask<{ message: { id: string } }>(who, 'POST', '/messages/send', body)).message
  }
  const walkers = await startChat(['bob', 'cat', 'dan'], 'Sunday walkers')
  await say('dan', 30, walkers, { content: 'Where do we walk on Sunday?' })
  const hills = await say('cat', 28, walkers, { content: 'Up to the reservoir, and coffee after' })
  const cafe = { name: 'Boathouse café', latitude: 40.7753, longitude: -73.9687 }
  await say('bob', 26, walkers, { content: 'Meet here at ten?', place: cafe, reply_to_id: hills.id })
  for (const [who, emoji] of [
    ['ann', '👍'],
    ['dan', '❤️'],
  ] as const)
    await ask(who, 'PUT', `/messages/messages/${hills.id}/reaction`, { emoji })
  await ask('ann', 'PUT', `/messages/conversations/${walkers.id}/pin`)
  await say('cat', 15, await startChat(['cat']), { content: 'Did you find your scarf?' })

  clockOffsetMs = 0
  await ask('dan', 'PUT', `/pings/${picnic.id}/trip`, { eta_minutes: 12 })
  const link = await ask<{ url: string }>('ann', 'POST', '/friends/links', { kind: 'link', uses: 20, days: 1 })
  return { friendLink: link.url, publicPing: picnic.id }
}
