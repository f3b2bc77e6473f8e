import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { UserId } from '@hither/contract/ids.ts'
import { ownAnswerHeader } from '@hither/contract/runtime/own-answer.ts'
import type { User } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { setBaseAddress } from './base-address.ts'
import { preloadUserImage } from './images.ts'
import { clearStoredSession, storeTokens, storeUser } from './stored-session.ts'

const bobId = '019a0000-0000-7000-8000-000000000002' as UserId
const created = vi.spyOn(URL, 'createObjectURL')
const revoked = vi.spyOn(URL, 'revokeObjectURL')

let server: Server
let status: number
let freshToken: string
let seen: string[]

beforeAll(async () => {
  server = createServer(({ method, url, headers }, response) => {
    seen.push(`${method} ${url} ${headers.authorization ?? ''}`.trim())
    if (url === '/api/auth/refresh') {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ access_token: freshToken, refresh_token: 'r2', expires_at: 2_000_000_000 }))
      return
    }
    response.writeHead(headers.authorization === `Bearer ${freshToken}` ? status : 401, {
      'Content-Type': 'image/webp',
      ETag: `"${seen.length}"`,
      [ownAnswerHeader]: '1',
    })
    response.end('picture')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  setBaseAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

beforeEach(() => {
  clearStoredSession()
  status = 200
  freshToken = 'a1'
  storeTokens({ access_token: 'a1', refresh_token: 'r1', expires_at: 2_000_000_000 })
  storeUser({ id: '019a0000-0000-7000-8000-000000000001', username: 'ann' } as User)
  seen = []
  created.mockClear()
  revoked.mockClear()
})

test('images are fetched with the token of the session and revoked at sign-out', async () => {
  await preloadUserImage(bobId)
  expect(new Set(seen)).toEqual(
    new Set(['thumb', 'full'].map((size) => `GET /api/files/profile-image/${bobId}?size=${size} Bearer a1`)),
  )
  const urls = created.mock.results.map(({ value }) => value)
  expect(urls.length).toBeGreaterThan(0)
  expect(revoked).not.toHaveBeenCalled()
  clearStoredSession()
  expect(revoked.mock.calls.map(([url]) => url).sort()).toEqual(urls.sort())
})

test('an image stays cached when the session is refreshed', async () => {
  freshToken = 'a2'
  await preloadUserImage(bobId)
  expect(seen.filter((request) => request.includes('/auth/refresh'))).toHaveLength(1)
  expect(created).toHaveBeenCalled()
  expect(revoked).not.toHaveBeenCalled()
})

test('a missing image gives undefined without an error', async () => {
  status = 404
  await preloadUserImage(bobId)
  expect(created).not.toHaveBeenCalled()
})

test('a visitor requests no images', async () => {
  clearStoredSession()
  await preloadUserImage(bobId)
  expect(seen).toEqual([])
})
