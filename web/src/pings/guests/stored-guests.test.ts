import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PingId } from '@hither/contract/ids.ts'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { setBaseAddress } from '../../api/base-address.ts'
import type { StoredGuest } from './guest.rules.ts'
import { eraseIfOutdated } from './guests.api.ts'
import { forgetErasedGuests, openToken, outdatedPings, storedGuest, storeGuest } from './stored-guests.ts'

const pingId = 'coffee' as PingId
const [token, otherToken] = ['a'.repeat(43), 'b'.repeat(43)]

beforeEach(() => {
  const entries = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  })
  storeGuest(pingId, null)
})

test('a response that was withdrawn or removed on this device does not come back with its link', () => {
  const removed: StoredGuest = { token, name: '', expires_at: null, isSent: false, unsent: null, isWithdrawn: false }
  for (const stored of [removed, { ...removed, isWithdrawn: true }]) {
    storeGuest(pingId, stored)
    openToken(pingId, token)
    expect(storedGuest(pingId)).toEqual(stored)
  }
})

test('the link of another response is stored after a removal', () => {
  openToken(pingId, token)
  expect(storedGuest(pingId)).toMatchObject({ token, isSent: true })
  storeGuest(pingId, { token, name: '', expires_at: null, isSent: false, unsent: null, isWithdrawn: false })
  openToken(pingId, otherToken)
  expect(storedGuest(pingId)).toMatchObject({ token: otherToken, isSent: true })
})

test('the token of a link whose ping was never read is erased when no ping of that time can last', () => {
  const dayMs = 86_400_000
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    openToken(pingId, token)
    const openedMs = Date.now()
    vi.setSystemTime(openedMs + 31 * dayMs)
    forgetErasedGuests()
    expect(storedGuest(pingId)).toMatchObject({ token })
    vi.setSystemTime(openedMs + 32 * dayMs)
    forgetErasedGuests()
    expect(storedGuest(pingId)).toBeUndefined()
  } finally {
    vi.useRealTimers()
  }
})

test.each([
  ['stays if the owner has moved the start of its ping', 7 * 86_400_000, true],
  ['is erased if its ping ended a day ago', 0, false],
  ['is erased if the server has erased it', null, false],
])('an outdated response %s', async (_case, movedMs, stays) => {
  const endedMs = Date.now() - 90_000_000
  const server = createServer((_request, response) => {
    response.writeHead(movedMs === null ? 404 : 200, { 'Content-Type': 'application/json' })
    const expires_at = new Date(endedMs + (movedMs ?? 0)).toISOString()
    response.end(JSON.stringify(movedMs === null ? { detail: 'Not found' } : { ping: { expires_at }, guest: {} }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  setBaseAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)

  const expires_at = new Date(endedMs).toISOString()
  storeGuest(pingId, { token, name: 'Mia', expires_at, isSent: true, unsent: null, isWithdrawn: false })
  expect(outdatedPings()).toEqual([pingId])
  await eraseIfOutdated(pingId)
  expect(storedGuest(pingId) !== undefined).toBe(stays)
  expect(outdatedPings()).toEqual([])
})

test('an outdated response stays while the server is unreachable', async () => {
  const expires_at = new Date(Date.now() - 90_000_000).toISOString()
  storeGuest(pingId, { token, name: 'Mia', expires_at, isSent: true, unsent: null, isWithdrawn: false })
  setBaseAddress('http://127.0.0.1:1')
  await expect(eraseIfOutdated(pingId)).rejects.toThrow()
  expect(storedGuest(pingId)).toMatchObject({ name: 'Mia' })
})
