import { endOtherSessions, endSession, listSessions, login, refresh } from '@hither/contract/auth/auth.ts'
import type { SessionId } from '@hither/contract/ids.ts'
import { getMe } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { deviceOf } from './auth.rules.ts'

let server: TestServer
let number = 0
let ann: Person
let eve: Person

beforeAll(async () => {
  server = await startServer()
  eve = await server.signUp('eve')
})

beforeEach(async () => {
  number++
  ann = await server.signUp(`ann${number}`)
})

afterAll(() => server.close())

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0'
const notFound = { status: 404, body: { detail: 'Session not found', code: 'session_not_found' } }

async function sessionsOf(who: Person) {
  return (await server.call(listSessions, {}, who)).body
}

async function signInWith(userAgent: string): Promise<Person> {
  const answer = await server.request('POST', '/api/auth/login', {
    body: { email: ann.email, password },
    headers: { 'user-agent': userAgent },
  })
  return { ...ann, session: answer.body as Person['session'] }
}

async function statusOf(person: Person) {
  return (await server.call(getMe, {}, person)).status
}

describe('the list of signed-in devices', () => {
  it('is shown to their owner, the one last used first', async () => {
    server.clock.advance(60_000)
    const other = await signInWith(firefox)
    const list = await sessionsOf(ann)
    expect(list).toEqual([
      {
        id: expect.any(String),
        created_at: server.clock.now().toISOString(),
        last_used_at: server.clock.now().toISOString(),
        device: 'Firefox on Windows',
        is_current: false,
        method: 'password',
      },
      {
        id: expect.any(String),
        created_at: ann.session.user.created_at,
        last_used_at: ann.session.user.created_at,
        device: null,
        is_current: true,
        method: 'password',
      },
    ])
    expect((await sessionsOf(other)).map(({ is_current }) => is_current)).toEqual([true, false])
    server.clock.advance(60_000)
    await server.call(refresh, { body: { refresh_token: ann.session.refresh_token } })
    expect((await sessionsOf(other)).map(({ is_current }) => is_current)).toEqual([false, true])
  })

  it('keeps the name of a device after a refresh without one', async () => {
    const other = await signInWith(firefox)
    await server.call(refresh, { body: { refresh_token: other.session.refresh_token } })
    expect((await sessionsOf(ann)).map(({ device }) => device)).toContain('Firefox on Windows')
  })

  it('leaves out ended and expired sessions', async () => {
    const other = await server.signIn(ann)
    expect(await sessionsOf(ann)).toHaveLength(2)
    await server.request('POST', '/api/auth/logout', { body: { access_token: other.session.access_token } })
    expect(await sessionsOf(ann)).toHaveLength(1)
    await server.db`update sessions set expires_at = ${server.clock.now()} where user_id = ${ann.id}`
    expect(await sessionsOf(ann)).toEqual([])
  })

  it('allows ending a session, which takes effect at once', async () => {
    const other = await server.signIn(ann)
    const [target] = (await sessionsOf(ann)).filter(({ is_current }) => !is_current)
    const ending = () => server.call(endSession, { params: { id: target?.id as SessionId } }, ann)
    expect(await ending()).toMatchObject({ status: 204, body: null })
    expect([await statusOf(other), await statusOf(ann)]).toEqual([401, 200])
    const refreshed = await server.call(refresh, { body: { refresh_token: other.session.refresh_token } })
    expect(refreshed.status).toBe(401)
    expect(await ending()).toMatchObject(notFound)
  })

  it('contains and ends own sessions only', async () => {
    const [theirs] = await sessionsOf(ann)
    expect(JSON.stringify(await sessionsOf(eve))).not.toContain(theirs?.id)
    const id = theirs?.id as SessionId
    expect(await server.call(endSession, { params: { id } }, eve)).toMatchObject(notFound)
    const nobody = '01900000-0000-7000-8000-000000000000' as SessionId
    expect(await server.call(endSession, { params: { id: nobody } }, eve)).toMatchObject(notFound)
    expect(await statusOf(ann)).toBe(200)
    for (const operation of [listSessions, endOtherSessions]) {
      expect((await server.call(operation, {})).status).toBe(401)
    }
    expect((await server.call(endSession, { params: { id } })).status).toBe(401)
  })

  it('allows ending all other sessions, whose live channels close', async () => {
    const others = [await server.signIn(ann), await server.signIn(ann)]
    const closed = await Promise.all(others.map(closingOf))
    expect((await server.call(endOtherSessions, {}, ann)).status).toBe(204)
    await Promise.all(closed.map(({ done }) => done))
    expect(await Promise.all([ann, ...others, eve].map(statusOf))).toEqual([200, 401, 401, 200])
    expect(await sessionsOf(ann)).toHaveLength(1)
  })

  it('loses unused sessions after a while, whose access tokens stay refused', async () => {
    const other = await server.signIn(ann)
    const [target] = (await sessionsOf(ann)).filter(({ is_current }) => !is_current)
    await server.call(endSession, { params: { id: target?.id as SessionId } }, ann)
    const count = async () => (await server.db`select 1 from sessions where user_id = ${ann.id}`).length
    await server.app.authJobs.runDue()
    expect(await count()).toBe(2)
    server.clock.advance(25 * 3_600_000 + 1)
    await server.app.authJobs.runDue()
    expect([await count(), await statusOf(other)]).toEqual([1, 401])
    server.clock.advance(60 * 86_400_000)
    await server.app.authJobs.runDue()
    expect(await count()).toBe(0)
    expect(await server.db`select 1 from refresh_tokens`).toHaveLength(0)
    eve = (await server.signIn(eve)) as Person
  })
})

/** Opens the live channel of a user; `done` resolves when the server closes it. */
async function closingOf(person: Person): Promise<{ done: Promise<void> }> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/realtime/v1/websocket?vsn=1.0.0`)
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  const done = new Promise<void>((resolve) => socket.addEventListener('close', () => resolve()))
  const payload = { config: { postgres_changes: [] }, access_token: person.session.access_token }
  const joined = new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }))
  socket.send(JSON.stringify({ topic: 'realtime:mine', event: 'phx_join', payload, ref: '1', join_ref: '1' }))
  await joined
  return { done }
}

const chrome = '(KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
it.each([
  ['Firefox on Windows', firefox],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0'],
  ['Chrome on Mac', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 ${chrome}`],
  ['Edge on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 ${chrome} Edg/140.0.0.0`],
  ['Opera on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 ${chrome} OPR/120.0.0.0`],
  [
    'Chrome on Linux',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
  ],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 ${chrome}`],
  ['Chrome on ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 ${chrome}`],
  [
    'Safari on iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  ],
  [
    'Chrome on iPad',
    'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
  ],
  [null, 'curl/8.5.0'],
  [null, ''],
  ['Windows', `${'x'.repeat(5000)} Windows <script>`],
])('shows %s for a User-Agent header, and no text from the header', (name, userAgent) => {
  expect(deviceOf(userAgent)).toBe(name)
})

it('signing in stores no network address and nothing of the header', async () => {
  await signInWith(`${firefox} my-own-words`)
  const rows = JSON.stringify(await server.db`select * from sessions where user_id = ${ann.id}`)
  expect(rows).not.toMatch(/127\.0\.0\.1|::1|my-own-words|Mozilla/)
  expect((await server.call(login, { body: { email: ann.email, password } })).status).toBe(200)
})
