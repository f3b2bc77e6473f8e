import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ann, bob, inserted, userRow } from '../harness.ts'
import { SubscriptionLog, subscriptionLogLimits } from './subscription-log.ts'

const change = inserted(userRow(bob), [ann])
const frame = (number: number) => Buffer.from(String(number))

/** Adds this many entries, named by their numbers. */
function filled(count: number) {
  const log = new SubscriptionLog()
  for (let i = 1; i <= count; i++) log.add(change, `c${i}`, frame(i))
  return log
}

const numbers = (frames: Buffer[]) => frames.map((buffer) => Number(buffer.toString()))

test('a client that reconnects at any time misses nothing, receives changes in order, and none twice if it sends its cursor', () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('add' as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('write' as const), arrive: fc.double({ min: 0, max: 1, noNaN: true }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('pong' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('back' as const), isDelivered: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose' as const), isDelivered: fc.boolean() }) },
  )
  fc.assert(
    fc.property(fc.boolean(), fc.array(step, { maxLength: 60 }), (tellsCursor, steps) => {
      const log = new SubscriptionLog()
      let added = 0
      /** What the client has received, in order. */
      let has: number[] = []
      /** From here on the client is complete: it has refetched everything before. */
      let since = 0
      /** Written frames that have not arrived, and never will once the socket is closed. */
      let isDown = false
      let arrivedSeq = 0
      const receive = (frames: number[]) => {
        has = [...has, ...frames]
      }
      const writeAll = (arrive: number) => {
        const frames = numbers(log.takeUnsent())
        const arrived = frames.slice(0, Math.ceil(arrive * frames.length))
        receive(arrived)
        if (arrived.length < frames.length) isDown = true
        else arrivedSeq = log.sentSeq
      }
      const back = (isDelivered: boolean) => {
        const last = has.at(-1)
        const whole = log.rewind(tellsCursor ? (last === undefined ? null : `c${last}`) : undefined)
        const frames = numbers(log.takeUnsent())
        isDown = !isDelivered
        if (isDown) return
        if (!whole) {
          // The client refetches: it now has everything that was added.
          has = []
          since = added
        }
        receive(frames)
        arrivedSeq = log.sentSeq
      }
      /** Changes that were added but never sent here. */
      const discard = (isDelivered: boolean) => {
        added++
        log.cut()
        log.requireResync()
        if (isDown || log.isBroken()) return
        log.takeUnsent()
        isDown = !isDelivered
        if (isDown) return
        has = []
        since = added
        arrivedSeq = log.sentSeq
      }
      for (const { kind, ...rest } of steps) {
        if (kind === 'add') log.add(change, `c${++added}`, frame(added))
        if (kind === 'write' && !isDown && !log.isBroken()) writeAll((rest as { arrive: number }).arrive)
        if (kind === 'pong' && !isDown) log.ack(arrivedSeq)
        if (kind === 'cut') log.cut()
        if (kind === 'back') back((rest as { isDelivered: boolean }).isDelivered)
        if (kind === 'lose') discard((rest as { isDelivered: boolean }).isDelivered)
      }
      back(true)
      const expected = Array.from({ length: added - since }, (_, index) => since + index + 1)
      expect([...new Set(has)]).toEqual(expected)
      if (tellsCursor) expect(has).toEqual(expected)
    }),
    { numRuns: 2000 },
  )
})

test('written entries are stored until they are acknowledged, and unwritten ones cannot be acknowledged', () => {
  const log = filled(3)
  log.ack(3)
  expect(log.rewind(undefined)).toBe(true)
  expect(numbers(log.takeUnsent())).toEqual([1, 2, 3])
  log.ack(2)
  expect(log.rewind(undefined)).toBe(true)
  expect(numbers(log.takeUnsent())).toEqual([3])
})

test('a cursor of the client is accepted only if no change after it can be missing', () => {
  const log = filled(3)
  log.takeUnsent()
  expect(log.copy().rewind('c2')).toBe(true)
  expect(log.copy().rewind(null)).toBe(true)
  expect(log.copy().rewind('unknown')).toBe(false)
  log.ack(2)
  expect(log.copy().rewind('c2')).toBe(true)
  expect(log.copy().rewind('c1')).toBe(false)
  expect(log.copy().rewind(null)).toBe(false)
})

test('an entry without contents keeps its cursor, from which a client can resume', () => {
  const log = filled(3)
  log.takeUnsent()
  log.forget(() => true)
  log.add(change, 'c4', frame(4))
  expect(log.rewind('c2')).toBe(true)
  expect(numbers(log.takeUnsent())).toEqual([4])
})

test('the log becomes incomplete above its limit of entries or bytes', () => {
  const most = filled(subscriptionLogLimits.entriesMax)
  expect(most.isBroken()).toBe(false)
  expect(filled(subscriptionLogLimits.entriesMax + 1).isBroken()).toBe(true)
  const large = new SubscriptionLog()
  for (let i = 0; i < 2; i++) large.add(change, `c${i}`, Buffer.alloc(subscriptionLogLimits.bytesMax * 0.6))
  expect(large.isBroken()).toBe(true)
})

test('discarded entries and a resync notice count as missing until they are acknowledged', () => {
  const log = filled(3)
  log.takeUnsent()
  expect(log.needsResync()).toBe(false)
  log.cut()
  expect(log.needsResync()).toBe(true)
  log.ack(3)
  expect(log.needsResync()).toBe(false)
  log.requireResync()
  log.takeUnsent()
  expect(log.needsResync()).toBe(true)
  log.ack(log.sentSeq)
  expect(log.needsResync()).toBe(false)
})
