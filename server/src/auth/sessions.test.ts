import { randomUUID } from 'node:crypto'
import { type AuthSession, logout, refresh } from '@hither/contract/auth/auth.ts'
import { createPing } from '@hither/contract/pings.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import { getMe } from '@hither/contract/users.ts'
import { createSigner } from 'fast-jwt'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { beginCall } from '../../test/pending-call.ts'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'

let server: TestServer
let ann: Person

beforeAll(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
})

afterAll(() => server.close())

const unsigned = { status: 401, body: { detail: 'Authentication required', code: 'authentication_required' } }
const hourMs = 3_600_000

function me(as: string) {
  return server.call(getMe, {}, as)
}

describe('an access token', () => {
  it('is refused if its session ended while the body of the call was on its way', async () => {
    const { session } = await server.signIn(ann)
    const place = { name: 'Here', latitude: 0, longitude: 0, duration_minutes: 30 } as const
    const call = await beginCall(
      `${server.url}/api${splitAddress(createPing.address).path}`,
      session.access_token,
      place,
    )
    await server.call(logout, { body: { access_token: session.access_token } })
    // The node that waits for the body receives that the session has ended.
    await server.app.catchUp()
    expect(await call.finish()).toBe(401)
  })

  it('is refused in the same way by a call without a body', async () => {
    const place = { name: 'Here', latitude: 0, longitude: 0, duration_minutes: 30 } as const
    const { body: ping } = await server.call(createPing, { body: place }, ann)
    const { session } = await server.signIn(ann)
    const call = await beginCall(`${server.url}/api/pings/${ping.id}`, session.access_token, {}, 'DELETE')
    await server.call(logout, { body: { access_token: session.access_token } })
    await server.app.catchUp()
    expect(await call.finish()).toBe(401)
  })

  it.each([
    ['nothing', undefined],
    ['a blank', ''],
    ['another scheme', 'Basic YW5uOmFubg=='],
    ['no scheme', 'ann'],
    ['no token', 'Bearer '],
    ['garbage', 'Bearer garbage'],
    ['three parts of garbage', 'Bearer a.b.c'],
  ])('is refused if it is %s', async (_name, authorization) => {
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await server.request('GET', '/api/users/me', { headers })
    expect(answer).toMatchObject(unsigned)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('is refused if signed with another key or none, or without the required claims', async () => {
    const claims = JSON.parse(Buffer.from(ann.session.access_token.split('.')[1] ?? '', 'base64url').toString())
    const forged = createSigner({ algorithm: 'HS256', key: 'another secret, just as long as ours' })(claims)
    const none = createSigner({ algorithm: 'none' })(claims)
    const [header, , signature] = ann.session.access_token.split('.')
    const altered = `${header}.${Buffer.from(JSON.stringify({ ...claims, sub: 'x' })).toString('base64url')}.${signature}`
    const sign = createSigner({ algorithm: 'HS256', key: 'a secret for tests, long enough to sign', noTimestamp: true })
    const ours = [sign({ ...claims, sub: undefined }), sign({ ...claims, sid: 7 }), sign({ sub: ann.id, sid: 'x' })]
    for (const token of [forged, none, altered, ...ours]) expect(await me(token)).toMatchObject(unsigned)
    expect((await me(sign(claims))).status).toBe(200)
  })

  it('expires after an hour by the clock of the server', async () => {
    const { session } = await server.signIn(ann)
    server.clock.advance(hourMs - 1000)
    expect((await me(session.access_token)).status).toBe(200)
    server.clock.advance(1000)
    expect(await me(session.access_token)).toMatchObject(unsigned)
  })

  it('is checked before anything else of a request', async () => {
    const answer = await server.request('POST', '/api/friends/request', { body: '{ not json' })
    expect(answer).toMatchObject(unsigned)
  })
})

describe('a refresh token', () => {
  const invalid = { status: 401, body: { detail: 'Invalid refresh token', code: 'invalid_refresh_token' } }
  const use = (refresh_token: string) => server.call(refresh, { body: { refresh_token } })

  it('is exchanged for a new session of the same account', async () => {
    const { session } = await server.signIn(ann)
    server.clock.advance(60_000)
    const { status, body } = await use(session.refresh_token)
    expect(status).toBe(200)
    expect(body).toMatchObject({ user: { id: ann.id }, expires_in: 3600 })
    expect(body.refresh_token).not.toBe(session.refresh_token)
    expect(body.expires_at).toBe(session.expires_at + 60)
    expect((await me(body.access_token)).status).toBe(200)
    expect((await use(body.refresh_token)).status).toBe(200)
  })

  it('gets one successor for all uses within ten seconds, by two tabs or by somebody with a copy', async () => {
    const { session } = await server.signIn(ann)
    const answers = await Promise.all(Array.from({ length: 20 }, () => use(session.refresh_token)))
    server.clock.advance(10_000)
    answers.push(await use(session.refresh_token))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const [successor, ...others] = new Set(answers.map(({ body }) => body.refresh_token))
    expect(others).toEqual([])
    expect(successor).not.toBe(session.refresh_token)
    const next = await use(successor ?? '')
    expect(next.status).toBe(200)
    expect(next.body.refresh_token).not.toBe(successor)
  })

  it('used later ends the whole session with all its tokens at once, and no other session', async () => {
    const { session } = await server.signIn(ann)
    const other = await server.signIn(ann)
    const next = (await use(session.refresh_token)).body
    server.clock.advance(10_001)
    expect(await use(session.refresh_token)).toMatchObject(invalid)
    expect(await me(session.access_token)).toMatchObject(unsigned)
    expect(await me(next.access_token)).toMatchObject(unsigned)
    expect(await use(next.refresh_token)).toMatchObject(invalid)
    expect((await me(other.session.access_token)).status).toBe(200)
  })

  it('expires sixty days after its last use', async () => {
    const { session } = await server.signIn(ann)
    server.clock.advance(59 * 24 * hourMs)
    const next = (await use(session.refresh_token)).body
    server.clock.advance(60 * 24 * hourMs - 1)
    const last = await use(next.refresh_token)
    expect(last.status).toBe(200)
    server.clock.advance(60 * 24 * hourMs)
    expect(await use(last.body.refresh_token)).toMatchObject(invalid)
  })

  it.each(['garbage', 'x'.repeat(4096), '\ud800'])('is refused if it is garbage', async (token) => {
    expect(await use(token)).toMatchObject(invalid)
  })

  it('is refused if it is missing or an access token', async () => {
    expect(await use((await server.signIn(ann)).session.access_token)).toMatchObject(invalid)
    for (const body of [{}, { refresh_token: '' }, { refresh_token: 'a\u0000' }, { refresh_token: 7 }]) {
      const answer = await server.request('POST', '/api/auth/refresh', { body })
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'refresh_token'] }] } })
    }
  })

  it('is not stored in a form that the database reveals', async () => {
    const { session } = await server.signIn(ann)
    const rows = await server.db`select token_hash from refresh_tokens`
    expect(JSON.stringify(rows)).not.toContain(session.refresh_token)
    const [user] = await server.db`select password_hash from users where id = ${ann.id}`
    expect(user?.['password_hash']).toMatch(/^\$argon2id\$/)
  })
})

describe('signing out', () => {
  const out = (access_token: string) => server.request('POST', '/api/auth/logout', { body: { access_token } })

  it('ends this session at once with both of its tokens, and no other one', async () => {
    const { session } = await server.signIn(ann)
    const other = await server.signIn(ann)
    expect(await out(session.access_token)).toMatchObject({ status: 204, body: null })
    expect(await me(session.access_token)).toMatchObject(unsigned)
    expect((await server.call(refresh, { body: { refresh_token: session.refresh_token } })).status).toBe(401)
    expect((await me(other.session.access_token)).status).toBe(200)
  })

  it('returns the same answer again, with an expired token, with garbage and without a token', async () => {
    const { session } = await server.signIn(ann)
    server.clock.advance(2 * hourMs)
    for (const token of [session.access_token, session.access_token, 'garbage', 'a.b.c', '']) {
      expect(await out(token)).toMatchObject({ status: 204, body: null })
    }
    // An expired token is enough to end its session.
    expect((await server.call(refresh, { body: { refresh_token: session.refresh_token } })).status).toBe(401)
  })

  it('stays in effect after a restart, and on every node that starts later', async () => {
    const { session } = await server.signIn(ann)
    const other = await server.signIn(ann)
    await out(session.access_token)
    const restarted = await createApp({
      config: readConfig({ LOG_LEVEL: 'silent' }),
      pool: server.db,
      authSecret: 'a secret for tests, long enough to sign',
      log: pino({ level: 'silent' }),
      now: server.clock.now,
    })
    const statusOf = async ({ access_token }: AuthSession) => {
      const headers = { authorization: `Bearer ${access_token}` }
      return (await restarted.http.inject({ url: '/api/users/me', headers })).statusCode
    }
    expect([await statusOf(session), await statusOf(other.session)]).toEqual([401, 200])
    await restarted.stop()
  })

  it('keeps its tokens off the live channel for as long as an expired token may join', async () => {
    const { session } = await server.signIn(ann)
    const other = await server.signIn(ann)
    await out(session.access_token)
    // An expired token is accepted for 24 hours after its one hour. Remembered sessions are checked when another
    // session ends.
    server.clock.advance(25 * hourMs - 1000)
    await out(other.session.access_token)
    expect(await joinAnswer(session.access_token)).toContain('the session has ended')
    const restarted = await createApp({
      config: readConfig({ LOG_LEVEL: 'silent' }),
      pool: server.db,
      authSecret: 'a secret for tests, long enough to sign',
      log: pino({ level: 'silent' }),
      now: server.clock.now,
    })
    await restarted.authJobs.runDue()
    const url = (await restarted.http.listen({ port: 0, host: '127.0.0.1' })).replace('http', 'ws')
    expect(await joinAnswer(session.access_token, url)).toContain('the session has ended')
    await restarted.stop()
  })

  it('closes the live channel of the session', async () => {
    const { session } = await server.signIn(ann)
    const socket = await openSocket(session.access_token)
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve, { once: true }))
    await out(session.access_token)
    await closed
  })

  it('closes the live channel of the session also at a node that missed the event', async () => {
    const { session } = await server.signIn(ann)
    const socket = await openSocket(session.access_token)
    const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve, { once: true }))
    const { sid } = JSON.parse(Buffer.from(session.access_token.split('.')[1] ?? '', 'base64url').toString())
    await server.db`update sessions set ended_at = ${server.clock.now()} where id = ${sid}`
    // As after the deletion of rows that this node has not read.
    await server.db`update outbox_state set deleted_up_to = nextval('outbox_ids')`
    await server.app.catchUp()
    expect((await closed).code).toBe(4001)
    expect(await joinAnswer(session.access_token)).toContain('the session has ended')
  })
})

/** The reply of the server to a join with this token. */
async function joinAnswer(access_token: string, url = server.url.replace('http', 'ws')): Promise<string> {
  const socket = new WebSocket(`${url}/api/realtime/v1/websocket?apikey=x&vsn=1.0.0`)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  const replied = new Promise<string>((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      if (JSON.parse(String(data)).event === 'phx_reply') resolve(String(data))
    })
  })
  const payload = { config: { postgres_changes: [] }, access_token }
  socket.send(JSON.stringify({ topic: 'realtime:mine', event: 'phx_join', payload, ref: '1', join_ref: '1' }))
  const answer = await replied
  socket.close()
  return answer
}

/** A joined channel without a client that reconnects by itself. */
async function openSocket(access_token: string): Promise<WebSocket> {
  const query = `apikey=x&vsn=1.0.0&client_id=${randomUUID()}`
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/realtime/v1/websocket?${query}`)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  const config = { postgres_changes: [{ event: '*', schema: 'public', table: 'users' }] }
  const join = { topic: 'realtime:mine', event: 'phx_join', payload: { config, access_token }, ref: '1', join_ref: '1' }
  const replied = new Promise((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      if (JSON.parse(String(data)).payload?.status === 'ok') resolve(undefined)
    })
  })
  socket.send(JSON.stringify(join))
  await replied
  return socket
}
