import { expect, test } from 'vitest'
import { atFirst, nextStatus, type StreetEvent, type StreetStatus } from './street-status.ts'

const after = (...events: StreetEvent[]): StreetStatus => events.reduce(nextStatus, atFirst)
const failed: StreetEvent = { type: 'failed', reason: 'connection' }
const due: StreetEvent = { type: 'due' }

test('unavailable streets are requested four times in total', () => {
  expect(after(failed)).toEqual({ phase: 'waiting', attempt: 2 })
  expect(after(failed, due, failed, due, failed, due)).toEqual({ phase: 'loading', attempt: 4 })
  expect(after(failed, due, failed, due, failed, due, failed)).toEqual({
    phase: 'failed',
    attempt: 4,
    reason: 'connection',
  })
})

test('many tiles that fail together count once', () => {
  expect(after(failed, failed, failed, failed, failed)).toEqual({ phase: 'waiting', attempt: 2 })
})

test('a refused key is not retried automatically', () => {
  const refused: StreetEvent = { type: 'failed', reason: 'key' }
  expect(after(refused, due)).toEqual({ phase: 'failed', attempt: 1, reason: 'key' })
  expect(after(failed, refused)).toEqual({ phase: 'failed', attempt: 2, reason: 'key' })
})

test('the attempts are reset when no tile is missing, not when the service responds', () => {
  const loaded: StreetEvent = { type: 'loaded' }
  expect(after(failed, due, loaded, failed, due, loaded, failed, due, loaded, failed)).toMatchObject({
    phase: 'failed',
    attempt: 4,
  })
  expect(after(failed, due, loaded, { type: 'complete' }, failed)).toEqual({ phase: 'waiting', attempt: 2 })
})

test('a manual retry starts at the first attempt', () => {
  expect(after({ type: 'failed', reason: 'key' }, { type: 'retry' })).toEqual({ phase: 'loading', attempt: 1 })
})
