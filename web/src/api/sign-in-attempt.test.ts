import { afterEach, expect, test, vi } from 'vitest'
import { clearSignInAttempt, readSignInAttempt, storeSignInAttempt } from './sign-in-attempt.ts'

const stored = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
})

const attempt = { verifier: 'secret', intent: 'sign_in', return_to: '/', started_at: Date.now() } as const

afterEach(() => stored.clear())

test('a sign-in with a provider that this device has started can be finished once', () => {
  expect(readSignInAttempt()).toBeNull()
  storeSignInAttempt(attempt)
  expect(readSignInAttempt()).toEqual(attempt)
  clearSignInAttempt()
  expect(readSignInAttempt()).toBeNull()
})

test('a sign-in with a provider is forgotten after ten minutes', () => {
  storeSignInAttempt({ ...attempt, started_at: Date.now() - 600_001 })
  expect(readSignInAttempt()).toBeNull()
  expect(stored.size).toBe(0)
})

test.each(['{', '7', '{"verifier":7}', 'null'])(
  'a stored sign-in that cannot be read counts as missing: %s',
  (text) => {
    stored.set('sign_in_attempt', text)
    expect(readSignInAttempt()).toBeNull()
  },
)
