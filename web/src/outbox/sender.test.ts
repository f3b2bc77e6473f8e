import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Sender, startSender } from './sender.ts'

let sender: Sender
let waiting: { client_id: string }[]
let attempts: { client_id: string; signal: AbortSignal; isStopped: () => boolean }[]
/** What the server does with the next attempts; `undefined` never responds. */
let responses: (Promise<void> | undefined)[]

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', new EventTarget())
  waiting = [{ client_id: 'one' }, { client_id: 'two' }]
  attempts = []
  responses = [new Promise(() => undefined)]
  sender = startSender({
    lock: 'test',
    reread: () => undefined,
    subscribe: () => () => undefined,
    next: () => waiting[0],
    async send(item, isStopped, signal) {
      attempts.push({ client_id: item.client_id, signal, isStopped })
      await (responses.length > 0 ? responses.shift() : Promise.resolve())
      waiting = waiting.filter((other) => other !== item)
    },
    refuse: () => undefined,
  })
})

afterEach(() => {
  sender.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an attempt without a response is given up when the device is back online, and the order stays', async () => {
  await vi.advanceTimersByTimeAsync(20_000)
  expect(attempts).toHaveLength(1)
  sender.wake()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(attempts.map(({ client_id }) => client_id)).toEqual(['one'])

  window.dispatchEvent(new Event('online'))
  expect(attempts[0]?.signal.aborted).toBe(true)
  expect(attempts[0]?.isStopped()).toBe(true)
  await vi.advanceTimersByTimeAsync(1000)
  expect(attempts.map(({ client_id }) => client_id)).toEqual(['one', 'one', 'two'])
  expect((await navigator.locks.query()).held).toEqual([])
})
