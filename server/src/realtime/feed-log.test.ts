import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFeedLog, feedLogLimits } from './feed-log.ts'
import { ann, bob, inserted, userRow } from './harness.ts'

const change = inserted(userRow(bob), [ann])
const frame = (number: number) => Buffer.from(String(number))

/** Adds as many, named by their numbers. */
function filled(count: number) {
  const log = createFeedLog()
  for (let i = 1; i <= count; i++) log.add(change, `c${i}`, frame(i))
  return log
}

const numbers = (frames: Buffer[]) => frames.map((buffer) => Number(buffer.toString()))

test('a client that comes back as often as it likes misses nothing, gets all in order, and where it says how far it came nothing twice', () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('add' as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('write' as const), arrive: fc.double({ min: 0, max: 1, noNaN: true }) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('pong' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('back' as const), isHeard: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose' as const), isHeard: fc.boolean() }) },
  )
  fc.assert(
    fc.property(fc.boolean(), fc.array(step, { maxLength: 60 }), (tellsCursor, steps) => {
      const log = createFeedLog()
      let added = 0
      /** What the app has, in the order it came. */
      let has: number[] = []
      /** From here on the app counts as whole: before it, it has read everything. */
      let since = 0
      /** Written frames that have not arrived, and never will once the socket is gone. */
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
      const back = (isHeard: boolean) => {
        const last = has.at(-1)
        const whole = log.rewind(tellsCursor ? (last === undefined ? null : `c${last}`) : undefined)
        const frames = numbers(log.takeUnsent())
        isDown = !isHeard
        if (isDown) return
        if (!whole) {
          // The app reads anew: it now has all that was added.
          has = []
          since = added
        }
        receive(frames)
        arrivedSeq = log.sentSeq
      }
      /** Added, but never told here. */
      const lose = (isHeard: boolean) => {
        added++
        log.cut()
        log.owe()
        if (isDown || log.isBroken()) return
        log.takeUnsent()
        isDown = !isHeard
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
        if (kind === 'back') back((rest as { isHeard: boolean }).isHeard)
        if (kind === 'lose') lose((rest as { isHeard: boolean }).isHeard)
      }
      back(true)
      const expected = Array.from({ length: added - since }, (_, index) => since + index + 1)
      expect([...new Set(has)]).toEqual(expected)
      if (tellsCursor) expect(has).toEqual(expected)
    }),
    { numRuns: 2000 },
  )
})

test('what was written is kept until it is acknowledged, and nobody can acknowledge more than was written', () => {
  const log = filled(3)
  log.ack(3)
  expect(log.rewind(undefined)).toBe(true)
  expect(numbers(log.takeUnsent())).toEqual([1, 2, 3])
  log.ack(2)
  expect(log.rewind(undefined)).toBe(true)
  expect(numbers(log.takeUnsent())).toEqual([3])
})

test('a client that says how far it came is believed only where nothing between can be missing', () => {
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

test('what may not be shown any more leaves its place, by which a client may still say how far it came', () => {
  const log = filled(3)
  log.takeUnsent()
  log.forget(() => true)
  log.add(change, 'c4', frame(4))
  expect(log.rewind('c2')).toBe(true)
  expect(numbers(log.takeUnsent())).toEqual([4])
})

test('more than there is room for makes the log incomplete, by count and by bytes', () => {
  const most = filled(feedLogLimits.entriesMax)
  expect(most.isBroken()).toBe(false)
  expect(filled(feedLogLimits.entriesMax + 1).isBroken()).toBe(true)
  const large = createFeedLog()
  for (let i = 0; i < 2; i++) large.add(change, `c${i}`, Buffer.alloc(feedLogLimits.bytesMax * 0.6))
  expect(large.isBroken()).toBe(true)
})

test('what was cut, and the notice of a loss, count as missing until they are acknowledged', () => {
  const log = filled(3)
  log.takeUnsent()
  expect(log.isShort()).toBe(false)
  log.cut()
  expect(log.isShort()).toBe(true)
  log.ack(3)
  expect(log.isShort()).toBe(false)
  log.owe()
  log.takeUnsent()
  expect(log.isShort()).toBe(true)
  log.ack(log.sentSeq)
  expect(log.isShort()).toBe(false)
})
