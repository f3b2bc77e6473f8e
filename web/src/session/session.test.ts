import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { UserId } from '@hither/contract/ids.ts'
import { authTexts } from '@hither/contract/runtime/auth/auth.ts'
import type { User } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { setBaseAddress } from '../api/base-address.ts'
import { queryClient } from '../api/query-client.ts'
import { clearStoredSession, readStoredSession, storeTokens, storeUser } from '../api/stored-session.ts'
import { call } from '../api/transport.ts'
import {
  getFreshAccessToken,
  openSession,
  refreshSession,
  sessionState,
  signIn,
  signOut,
  signUp,
  startSession,
} from './session.ts'

const ann: User = {
  id: '019a0000-0000-7000-8000-000000000001' as UserId,
  email: 'ann@example.com',
  email_confirmed_at: null,
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
  username: 'ann',
  display_name: null,
  has_image: false,
  auto_join_chats: true,
  locale: null,
}
const credentials = { email: ann.email, password: 'secret1' }
const granted = (access_token: string, refresh_token: string) => ({
  access_token,
  refresh_token,
  expires_in: 3600,
  expires_at: Math.floor(Date.now() / 1000) + 3600,
  token_type: 'bearer',
  user: ann,
})

let server: Server
let answers: Record<string, { status: number; body?: unknown }>
let seen: string[]

beforeAll(async () => {
  server = createServer((request, response) => {
    const name = `${request.method} ${request.url}`
    seen.push(name)
    const { status, body } = answers[name] ?? { status: 500, body: { detail: `unexpected ${name}` } }
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  setBaseAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  startSession()
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

beforeEach(() => {
  clearStoredSession()
  seen = []
  answers = {
    'POST /api/auth/login': { status: 200, body: granted('a1', 'r1') },
    'POST /api/auth/signup': { status: 201, body: granted('a1', 'r1') },
    'POST /api/auth/logout': { status: 204 },
    'GET /api/users/me': { status: 200, body: { ...ann, username: 'ann-now' } },
  }
})

test('a sign-in stores the tokens and the current profile', async () => {
  await signIn(credentials)
  expect(readStoredSession()).toMatchObject({ accessToken: 'a1', refreshToken: 'r1', user: { username: 'ann-now' } })
  expect(sessionState()).toMatchObject({ user: { username: 'ann-now' }, loading: false, error: null })
})

test('a sign-in stores the user of its response if the profile cannot be fetched', async () => {
  answers['GET /api/users/me'] = { status: 500 }
  await signIn(credentials)
  expect(sessionState().user).toEqual(ann)
})

test("a refused sign-in rejects with the server's sentence", async () => {
  answers['POST /api/auth/login'] = { status: 401, body: { detail: 'Invalid email or password' } }
  await expect(signIn(credentials)).rejects.toThrow('Invalid email or password')
  expect(sessionState()).toEqual({ user: null, loading: false, error: 'Invalid email or password' })
})

test('a sign-up that awaits confirmation stores nothing', async () => {
  answers['POST /api/auth/signup'] = {
    status: 201,
    body: { requires_confirmation: true, email: ann.email, message: 'Check your email' },
  }
  expect(await signUp({ ...credentials, username: 'ann' })).toEqual({ requiresConfirmation: true, email: ann.email })
  expect(readStoredSession()).toEqual({ accessToken: null, refreshToken: null, expiresAt: null, user: null })
  expect(sessionState().user).toBeNull()
})

test('a sign-out deletes the session from the device, even if the server fails', async () => {
  answers['POST /api/auth/logout'] = { status: 500 }
  await signIn(credentials)
  queryClient.setQueryData(['friends', 'list'], ['bob'])
  await signOut()
  expect(seen).toContain('POST /api/auth/logout')
  expect(readStoredSession()).toEqual({ accessToken: null, refreshToken: null, expiresAt: null, user: null })
  expect(sessionState()).toMatchObject({ user: null, error: null })
  expect(queryClient.getQueryCache().getAll()).toEqual([])
})

test('the cache is cleared when another user signs in', async () => {
  await signIn(credentials)
  queryClient.setQueryData(['friends', 'list'], ['bob'])
  storeUser({ ...ann, id: '019a0000-0000-7000-8000-000000000002' as UserId, username: 'bob' })
  expect(sessionState().user?.username).toBe('bob')
  expect(queryClient.getQueryData(['friends', 'list'])).toBeUndefined()
})

test('a session that the server has revoked shows its reason to the user', async () => {
  await signIn(credentials)
  answers['POST /api/auth/refresh'] = { status: 401, body: { detail: 'Invalid refresh token' } }
  await expect(refreshSession()).rejects.toThrow(authTexts.sessionExpired)
  expect(sessionState()).toEqual({ user: null, loading: false, error: authTexts.sessionExpired })
})

test('a refresh without a refresh token rejects', async () => {
  await expect(refreshSession()).rejects.toThrow(authTexts.noRefreshToken)
})

test('the live channel gets a fresh token, and the old one while the server is unavailable', async () => {
  await signIn(credentials)
  expect(await getFreshAccessToken()).toBe('a1')

  storeTokens({ access_token: 'a1', refresh_token: 'r1', expires_at: Math.floor(Date.now() / 1000) + 20 })
  answers['POST /api/auth/refresh'] = { status: 503 }
  expect(await getFreshAccessToken()).toBe('a1')

  answers['POST /api/auth/refresh'] = { status: 200, body: granted('a2', 'r2') }
  expect(await getFreshAccessToken()).toBe('a2')

  await signOut()
  expect(await getFreshAccessToken()).toBeNull()
})

test('a sign-in to an account with another language loads the page to open instead of the current one', async () => {
  const replace = vi.fn()
  vi.stubGlobal('location', { replace })
  for (const name of ['localStorage', 'sessionStorage']) {
    const stored = new Map<string, string>()
    vi.stubGlobal(name, {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    })
  }
  answers['GET /api/users/me'] = { status: 200, body: { ...ann, locale: 'de' } }
  void openSession(
    () => call('POST /auth/login', { body: credentials }, { auth: 'none' }),
    () => '/friends?tab=sent',
  )
  await vi.waitFor(() => expect(replace.mock.calls).toEqual([['/friends?tab=sent']]))
  vi.unstubAllGlobals()
})
