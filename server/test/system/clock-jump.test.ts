import { endSession, listSessions, refresh } from '@hither/contract/auth/auth.ts'
import type { PingId } from '@hither/contract/ids.ts'
import { type CreatePing, createPing, getPing } from '@hither/contract/pings.ts'
import { getMe } from '@hither/contract/users.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTokens } from '../../src/auth/tokens.ts'
import { type Listener, type Person, startServer, type TestServer } from '../harness.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

let server: TestServer
let ann: Person
let bob: Person
const lines: string[] = []

beforeAll(async () => {
  server = await startServer({}, pino({ level: 'trace' }, { write: (line) => lines.push(line) }))
  ann = withLongLivedToken(await server.signUp('ann'))
  bob = withLongLivedToken(await server.signUp('bob'))
  await server.befriend(ann, bob)
  server.app.start()
})

afterAll(() => server.close())

/** Returns the user with an access token that is valid for a year, signed with the secret of `startServer`. */
function withLongLivedToken(person: Person): Person {
  const { sid } = JSON.parse(String(Buffer.from(person.session.access_token.split('.')[1] ?? '', 'base64url')))
  const later = () => new Date(server.clock.now().getTime() + 365 * 24 * hourMs)
  const { token } = createTokens('a secret for tests, long enough to sign', later).issue(person.id, sid)
  return { ...person, session: { ...person.session, access_token: token } }
}

async function drop(fields: Pick<CreatePing, 'activates_at' | 'duration_minutes'>): Promise<PingId> {
  const body = { name: 'Coffee', latitude: 1, longitude: 2, recipient_ids: [bob.id], ...fields }
  return (await server.call(createPing, { body }, ann)).body.id
}

const statusOf = async (id: PingId) => (await server.call(getPing, { params: { id } }, bob)).body.status
const ahead = (minutes: number) => new Date(server.clock.now().getTime() + minutes * minuteMs).toISOString()

/** The UPDATE changes of these pings that the listener has received. A new ping, announced last, marks the end. */
async function receivedUpdates(ids: readonly PingId[], listener: Listener) {
  await server.app.pingJobs.runDue()
  const last = await drop({ duration_minutes: 240 })
  await listener.until((change) => change.new['id'] === last)
  return listener.received.flatMap((change) => {
    const index = ids.indexOf(change.new['id'] as PingId)
    return index < 0 || change.eventType !== 'UPDATE' ? [] : [`${index} ${change.new['status']}`]
  })
}

describe('a clock that is an hour ahead for a while', () => {
  it('announces each activation and expiry once, also after the clock goes back', async () => {
    const listener = await server.listen(bob, ['location_pins'])
    const ids = [
      await drop({ duration_minutes: 30 }),
      await drop({ activates_at: ahead(30), duration_minutes: 240 }),
      await drop({ duration_minutes: 120 }),
    ]
    const statuses = () => Promise.all(ids.map(statusOf))
    server.clock.advance(hourMs)
    const early = (await receivedUpdates(ids, listener)).sort()
    expect([early, await statuses()]).toEqual([
      ['0 expired', '1 active'],
      ['expired', 'active', 'active'],
    ])
    server.clock.advance(-hourMs)
    expect((await receivedUpdates(ids, listener)).sort()).toEqual(early)
    expect(await statuses()).toEqual(['active', 'pending', 'active'])
    server.clock.advance(31 * minuteMs)
    expect((await receivedUpdates(ids, listener)).sort()).toEqual(early)
    expect(await statuses()).toEqual(['expired', 'active', 'active'])
    server.clock.advance(90 * minuteMs)
    expect((await receivedUpdates(ids, listener)).sort()).toEqual([...early, '2 expired'].sort())
    await listener.close()
  })

  const me = async (token: string) => (await server.call(getMe, {}, token)).status
  const use = (refresh_token: string) => server.call(refresh, { body: { refresh_token } })

  it('ends no session, and expires access tokens by that clock', async () => {
    const { session } = await server.signIn(ann)
    server.clock.advance(hourMs)
    expect(await me(session.access_token)).toBe(401)
    const { status, body } = await use(session.refresh_token)
    expect([status, await me(body.access_token)]).toEqual([200, 200])
    server.clock.advance(-hourMs)
    expect([await me(session.access_token), await me(body.access_token)]).toEqual([200, 200])
    expect((await use(body.refresh_token)).status).toBe(200)
    const sessions = await server.call(listSessions, {}, body.access_token)
    expect(sessions.body.filter(({ is_current }) => is_current)).toHaveLength(1)
  })

  it('does not make a used or revoked refresh token valid again', async () => {
    const [used, ended, other] = [await server.signIn(ann), await server.signIn(ann), await server.signIn(ann)]
    const idOf = async (who: Person) =>
      (await server.call(listSessions, {}, who)).body.find(({ is_current }) => is_current)?.id as never
    await server.call(endSession, { params: { id: await idOf(ended) } }, ann)
    const otherId = await idOf(other)
    server.clock.advance(hourMs)
    const next = (await use(used.session.refresh_token)).body
    await server.call(endSession, { params: { id: otherId } }, ann)
    server.clock.advance(-hourMs)
    for (const { session } of [ended, other])
      expect([await me(session.access_token), (await use(session.refresh_token)).status]).toEqual([401, 401])
    // Reuse of a refresh token revokes the whole session.
    expect((await use(used.session.refresh_token)).status).toBe(401)
    expect([await me(next.access_token), (await use(next.refresh_token)).status]).toEqual([401, 401])
  })

  it('produces no negative metrics and logs no warnings', async () => {
    for (const ms of [hourMs, -2 * hourMs, hourMs]) {
      server.clock.advance(ms)
      const { app } = server
      for (const jobs of [app.pingJobs, app.pushJobs, app.deliveryJobs, app.fileJobs, app.authJobs, app.moderationJobs])
        await jobs.runDue()
      const metrics = String((await server.request('GET', '/metrics')).body)
      expect(metrics.split('\n').filter((line) => /^[^#].* -/.test(line))).toEqual([])
      expect((await server.request('GET', '/readyz')).status).toBe(200)
    }
    const logged = lines.map((line) => JSON.parse(line) as { level: number })
    expect(logged.filter(({ level }) => level >= 40)).toEqual([])
  })
})
