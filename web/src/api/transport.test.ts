import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FriendRequestId, PingId } from '@hither/contract/ids.ts'
import { refusals } from '@hither/contract/refusals.ts'
import { authTexts } from '@hither/contract/runtime/auth/auth.ts'
import { ownAnswerHeader } from '@hither/contract/runtime/own-answer.ts'
import type { User } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { responseWithinMs } from '../device/time-limit.ts'
import { messageOf } from './api-error.ts'
import { setBaseAddress } from './base-address.ts'
import {
  clearStoredSession,
  readStoredSession,
  storeTokens,
  storeUser,
  subscribeToStoredSession,
} from './stored-session.ts'
import { ApiError, call } from './transport.ts'

interface Seen {
  method: string | undefined
  url: string | undefined
  token: string | undefined
  body: unknown
}

interface Answer {
  status: number
  statusMessage?: string
  body?: unknown
  delayMs?: number
  /** The content of a response that is not of Hither. */
  foreign?: { type: string; content: string }
}

let server: Server
let answer: (request: Seen) => Answer
let seen: Seen[]

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { method, url, headers } = request
    const call = { method, url, token: headers.authorization, body: await bodyOf(request) }
    seen.push(call)
    const { status, statusMessage, body, delayMs = 0, foreign } = answer(call)
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    if (foreign !== undefined) return response.writeHead(status, { 'Content-Type': foreign.type }).end(foreign.content)
    response.writeHead(status, statusMessage, { 'Content-Type': 'application/json', [ownAnswerHeader]: '1' })
    return response.end(body === undefined ? undefined : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  setBaseAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

beforeEach(() => {
  seen = []
  clearStoredSession()
  storeTokens({ access_token: 'old', refresh_token: 'r1', expires_at: 1 })
})

describe('a call', () => {
  test('of a guest sends the guest token instead of the session, which it does not renew after a 401', async () => {
    answer = () => ({ status: 401, body: { detail: 'no' } })
    const guestToken = 'x'.repeat(43)
    const reading = call('GET /pings/:id/guests/me', { params: { id: 'p' as PingId } }, { auth: 'guest', guestToken })
    await expect(reading).rejects.toMatchObject({ status: 401 })
    expect(seen).toEqual([
      { method: 'GET', url: '/api/pings/p/guests/me', token: `Guest ${guestToken}`, body: undefined },
    ])
    expect(readStoredSession().refreshToken).toBe('r1')
  })

  test('sends encoded path parameters, the body and the token', async () => {
    answer = () => ({ status: 200, body: { id: 'a/b', status: 'accepted' } })
    await call('PATCH /friends/:id/respond', {
      params: { id: 'a/b c' as FriendRequestId },
      body: { action: 'accepted' },
    })
    expect(seen).toEqual([
      { method: 'PATCH', url: '/api/friends/a%2Fb%20c/respond', token: 'Bearer old', body: { action: 'accepted' } },
    ])
  })

  test("rejects with the server's sentence", async () => {
    answer = () => ({ status: 401, body: { detail: refusals.invalid_credentials.detail } })
    const failure = await failureOf(
      call('POST /auth/login', { body: { email: 'ann@example.com', password: 'wrong!' } }, { auth: 'none' }),
    )
    expect(failure).toMatchObject({ status: 401, message: 'Invalid email or password' })
    expect(seen).toHaveLength(1)
  })

  test('rejects with the validation errors as one sentence and as a list', async () => {
    const detail = [
      { loc: ['body', 'email'], msg: 'is not an address', type: 'format' },
      { loc: ['body', 'password'], msg: 'is too short', type: 'minLength' },
    ]
    answer = () => ({ status: 422, body: { detail } })
    const failure = await failureOf(call('POST /auth/login', { body: { email: '', password: '' } }, { auth: 'none' }))
    expect(failure.message).toBe('Validation errors: body.email: is not an address, body.password: is too short')
    expect(failure.fieldErrors).toEqual(detail)
  })

  test('rejects with the status if the server returns no sentence', async () => {
    answer = () => ({ status: 502, statusMessage: 'Bad Gateway' })
    expect(
      (await failureOf(call('POST /auth/login', { body: { email: '', password: '' } }, { auth: 'none' }))).message,
    ).toBe('API Error: 502 Bad Gateway')
  })

  test("keeps the server's sentence about its own errors, except of those that it did not expect and of unknown kinds", async () => {
    const failure = () => failureOf(call('POST /auth/login', { body: { email: '', password: '' } }, { auth: 'none' }))
    for (const code of ['server_busy', 'unavailable', 'google_not_configured'] as const) {
      answer = () => ({ status: refusals[code].status, body: { detail: refusals[code].detail, code } })
      expect(messageOf(await failure(), 'Login failed')).toBe(refusals[code].detail)
    }
    const incident = '5b0a9c3e'
    const detail = `Internal server error (${incident})`
    answer = () => ({ status: 500, body: { detail, code: 'internal_error', incident } })
    expect(messageOf(await failure(), 'Login failed')).toBe('Login failed (Error ID: 5b0a9c3e)')
    for (const body of [{ detail }, { detail, code: 'of_a_later_version' }]) {
      answer = () => ({ status: 500, body })
      expect(messageOf(await failure(), 'Login failed')).toBe('Login failed')
    }
  })

  test.each([
    [200, 'text/html', '<title>Sign in to the network</title>'],
    [200, 'text/html', ''],
    [400, 'text/html', '<h1>400 Bad Request</h1>'],
    [401, 'text/html', '<h1>401 Authorization Required</h1>'],
    [403, 'text/html', '<title>Just a moment...</title>'],
    [403, 'application/json', '{"message":"Forbidden"}'],
    [404, 'text/plain', 'default backend - 404'],
    [422, 'application/json', '{"error":"blocked"}'],
    [502, 'text/html', '<h1>502 Bad Gateway</h1>'],
    [503, 'application/json', '{}'],
    [511, 'text/html', '<title>Network Authentication Required</title>'],
  ])(
    'that something else answers with %i %s %s has no response, and the session stays',
    async (status, type, content) => {
      answer = () => ({ status, foreign: { type, content } })
      for (const calling of [
        call('GET /friends/', {}),
        call('POST /auth/login', { body: { email: '', password: '' } }, { auth: 'none' }),
      ])
        expect(await failureOf(calling)).toMatchObject({
          status: 0,
          message: expect.stringMatching(/cannot be reached/),
        })
      answer = ({ url }) =>
        url === '/api/auth/refresh'
          ? { status, foreign: { type, content } }
          : { status: 401, body: { detail: 'Authentication required', code: 'authentication_required' } }
      expect(await failureOf(call('GET /friends/', {}))).toMatchObject({ status: 0 })
      expect(readStoredSession()).toMatchObject({ accessToken: 'old', refreshToken: 'r1' })
    },
  )

  test('of a server that does not send the header yet is understood', async () => {
    const body = { detail: 'Invalid email or password' }
    answer = () => ({ status: 401, foreign: { type: 'application/json', content: JSON.stringify(body) } })
    const failure = await failureOf(call('POST /auth/login', { body: { email: '', password: '' } }, { auth: 'none' }))
    expect(failure).toMatchObject({ status: 401, message: body.detail })
    answer = () => ({ status: 200, foreign: { type: 'application/json; charset=utf-8', content: '[]' } })
    expect(await call('GET /friends/', {})).toEqual([])
  })

  test('without a response in time counts as one without network, and frees the refresh', async () => {
    const stuck = Promise.withResolvers<void>()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      answer = ({ url }) => {
        if (url !== '/api/auth/refresh') return { status: 401, body: { detail: 'no' } }
        stuck.resolve()
        return { status: 200, body: {}, delayMs: 10 * responseWithinMs }
      }
      const calls = [failureOf(call('GET /friends/', {})), failureOf(call('GET /friends/', {}))]
      await vi.waitFor(() => expect(seen).toHaveLength(2))
      await vi.advanceTimersByTimeAsync(0)
      await stuck.promise
      await vi.advanceTimersByTimeAsync(responseWithinMs)
      for (const failure of calls) expect(await failure).toMatchObject({ status: 0 })
      expect(readStoredSession().refreshToken).toBe('r1')
      expect((await navigator.locks.query()).held).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  test('without a network rejects with a sentence and keeps the session', async () => {
    const { port } = server.address() as AddressInfo
    setBaseAddress('http://127.0.0.1:9')
    const failure = await failureOf(call('GET /friends/', {}))
    setBaseAddress(`http://127.0.0.1:${port}`)
    expect(failure.status).toBe(0)
    expect(failure.message).toMatch(/cannot be reached/)
    expect(readStoredSession().accessToken).toBe('old')
  })
})

describe('a 401', () => {
  test('causes one refresh for parallel calls, each repeated once', async () => {
    answer = ({ url, token }) =>
      url === '/api/auth/refresh'
        ? { status: 200, body: session('new', 'r2'), delayMs: 30 }
        : token === 'Bearer new'
          ? { status: 200, body: [] }
          : { status: 401, body: { detail: 'Authentication required' } }
    const results = await Promise.all([call('GET /friends/', {}), call('GET /friends/', {}), call('GET /friends/', {})])
    expect(results).toEqual([[], [], []])
    expect(seen.filter(({ url }) => url === '/api/auth/refresh')).toMatchObject([{ body: { refresh_token: 'r1' } }])
    expect(readStoredSession()).toMatchObject({ accessToken: 'new', refreshToken: 'r2' })
  })

  test('uses the token that another tab has fetched in the meantime', async () => {
    answer = ({ token }) => {
      if (token === 'Bearer theirs') return { status: 200, body: [] }
      storeTokens({ access_token: 'theirs', refresh_token: 'r9', expires_at: 1 })
      return { status: 401 }
    }
    expect(await call('GET /friends/', {})).toEqual([])
    expect(seen.map(({ url }) => url)).toEqual(['/api/friends/', '/api/friends/'])
  })

  test('waits for the token of another tab, which arrives after the lock and key by key', async () => {
    const lock = Promise.withResolvers<void>()
    const held = navigator.locks.request('hither-refresh', () => lock.promise)
    answer = ({ token }) => (token === 'Bearer theirs' ? { status: 200, body: [] } : { status: 401 })
    const calling = call('GET /friends/', {})
    await expect.poll(async () => (await navigator.locks.query()).pending?.length).toBe(1)
    lock.resolve()
    await held
    await new Promise((resolve) => setTimeout(resolve))
    storeTokens({ access_token: 'old', refresh_token: 'r9', expires_at: 1 })
    storeTokens({ access_token: 'theirs', refresh_token: 'r9', expires_at: 1 })
    expect(await calling).toEqual([])
    expect(seen.map(({ url }) => url)).toEqual(['/api/friends/', '/api/friends/'])
  })

  test('ends the session with a reason if the refresh token is refused', async () => {
    answer = ({ url }) =>
      url === '/api/auth/refresh' ? { status: 401, body: { detail: 'Invalid refresh token' } } : { status: 401 }
    const ended: (string | undefined)[] = []
    const unsubscribe = subscribeToStoredSession((reason) => ended.push(reason))
    const failure = await failureOf(call('GET /friends/', {}))
    unsubscribe()
    expect(failure).toMatchObject({ status: 401, message: authTexts.sessionExpired })
    expect(ended).toEqual([authTexts.sessionExpired])
    expect(readStoredSession()).toEqual({ accessToken: null, refreshToken: null, expiresAt: null, user: null })
  })

  test('keeps the session if the refresh gets no response', async () => {
    answer = ({ url }) => (url === '/api/auth/refresh' ? { status: 503, body: { detail: 'Busy' } } : { status: 401 })
    expect(await failureOf(call('GET /friends/', {}))).toMatchObject({ status: 503 })
    expect(readStoredSession().refreshToken).toBe('r1')
  })

  test('does not restore a session after a sign-out during the refresh', async () => {
    answer = ({ url }) => {
      if (url !== '/api/auth/refresh') return { status: 401 }
      clearStoredSession()
      return { status: 200, body: session('new', 'r2') }
    }
    expect(await failureOf(call('GET /friends/', {}))).toMatchObject({ status: 401 })
    expect(readStoredSession().accessToken).toBeNull()
  })

  test('is not repeated if another user has signed in', async () => {
    storeUser({ id: 'ann' } as User)
    answer = () => {
      storeTokens({ access_token: 'token of bob', refresh_token: 'r2', expires_at: 2_000_000_000 })
      storeUser({ id: 'bob' } as User)
      return { status: 401 }
    }
    expect(await failureOf(call('GET /friends/', {}))).toMatchObject({ status: 401 })
    expect(seen.map(({ token }) => token)).toEqual(['Bearer old'])
    expect(readStoredSession().accessToken).toBe('token of bob')
  })

  test('still loads a public ping after the session has ended', async () => {
    answer = ({ url, token }) =>
      url === '/api/auth/refresh' || token !== undefined ? { status: 401 } : { status: 200, body: { name: 'Coffee' } }
    expect(await call('GET /pings/:id', { params: { id: 'p1' as PingId } }, { auth: 'optional' })).toEqual({
      name: 'Coffee',
    })
  })
})

test('without a session no call that needs one is sent', async () => {
  clearStoredSession()
  expect(await failureOf(call('GET /friends/', {}))).toMatchObject({ status: 401, message: 'Authentication required' })
  expect(seen).toEqual([])
})

function session(access_token: string, refresh_token: string) {
  return { access_token, refresh_token, expires_in: 3600, expires_at: 2_000_000_000, token_type: 'bearer', user: {} }
}

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => error,
  )
  if (!(error instanceof ApiError)) throw error
  return error
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text === '' ? undefined : JSON.parse(text)
}
