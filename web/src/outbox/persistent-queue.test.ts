import type { UserId } from '@hither/contract/ids.ts'
import type { User } from '@hither/contract/users.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const ann = 'ann' as UserId
const one = { client_id: 'one' }
const two = { client_id: 'two' }

/** An opening of the database that has not answered. */
interface Opening {
  result: unknown
  onsuccess: (() => void) | null
}

let openings: Opening[]

beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
  openings = []
  vi.stubGlobal('indexedDB', {
    open() {
      const opening: Opening = { result: undefined, onsuccess: null }
      openings.push(opening)
      return opening
    },
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function newQueue() {
  await import('../i18n/english.setup.ts')
  const { storeTokens, storeUser } = await import('../api/stored-session.ts')
  storeTokens({ access_token: 'a', refresh_token: 'r', expires_at: 2_000_000_000 })
  storeUser({ id: ann, username: 'ann' } as User)
  const { startSession } = await import('../session/session.ts')
  startSession()
  const { createPersistentQueue, isStoragePersistent } = await import('./persistent-queue.ts')
  return { queue: createPersistentQueue<{ client_id: string }>('test'), isStoragePersistent }
}

test('an item is shown before it is stored, and stays in memory if the database does not answer', async () => {
  const { queue, isStoragePersistent } = await newQueue()
  const { databaseWithinMs } = await import('../device/database.ts')
  const storing = queue.edit(ann, (items) => [...items, one])
  expect(queue.items()).toEqual([one])
  await vi.advanceTimersByTimeAsync(databaseWithinMs)
  await storing
  expect(isStoragePersistent()).toBe(false)
  // Nothing waits for the database again.
  await queue.edit(ann, (items) => [...items, two])
  await queue.reread()
  expect(queue.items()).toEqual([one, two])
  await queue.edit(ann, (items) => items.filter((item) => item !== one))
  expect(queue.items()).toEqual([two])
})

test('what was only in memory is stored once the database answers, with what it already had', async () => {
  const { queue, isStoragePersistent } = await newQueue()
  await vi.advanceTimersByTimeAsync(2000)
  await queue.edit(ann, () => [one, two])
  await queue.edit(ann, () => [two])
  const stored = new Map<string, unknown>([['ann:test', [{ client_id: 'earlier' }, one]]])
  for (const opening of openings) {
    opening.result = databaseOf(stored)
    opening.onsuccess?.()
  }
  await vi.advanceTimersByTimeAsync(10)
  expect(stored.get('ann:test')).toEqual([{ client_id: 'earlier' }, two])
  expect(queue.items()).toEqual([{ client_id: 'earlier' }, two])
  expect(isStoragePersistent()).toBe(true)
})

/** As much of a database as the queue uses. Each transaction ends after its requests. */
function databaseOf(stored: Map<string, unknown>) {
  return {
    transaction() {
      const transaction = { oncomplete: null as (() => void) | null, objectStore: () => store }
      const store = {
        get(key: string) {
          const request = { result: structuredClone(stored.get(key)), onsuccess: null as (() => void) | null }
          queueMicrotask(() => {
            request.onsuccess?.()
            setTimeout(() => transaction.oncomplete?.())
          })
          return request
        },
        put: (value: unknown, key: string) => stored.set(key, value),
        delete: (key: string) => stored.delete(key),
      }
      return transaction
    },
  }
}
