import type { PingId } from '@hither/contract/ids.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import type { StoredGuest } from './guest.rules.ts'
import { eraseOutdatedGuests, openToken, storedGuest, storeGuest } from './stored-guests.ts'

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
    eraseOutdatedGuests()
    expect(storedGuest(pingId)).toMatchObject({ token })
    vi.setSystemTime(openedMs + 32 * dayMs)
    eraseOutdatedGuests()
    expect(storedGuest(pingId)).toBeUndefined()
  } finally {
    vi.useRealTimers()
  }
})
