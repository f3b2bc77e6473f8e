import type { UserRow } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Change } from './bus.ts'
import { mayLack, nextRowUs, positionOf, prefixOf, rowOf } from './positions.ts'
import { createRecentEvents, recentEventsLimits } from './recent-events.ts'

const ann = '0190a0a0-0000-7000-8000-00000000000a' as UserId
const startUs = Date.parse('2026-11-21T12:00:00.000Z') * 1000

function changeOf(name: string): Change {
  const record = { id: ann, username: name, display_name: null, has_image: false, is_online: true }
  return { table: 'users', type: 'INSERT', record, oldRecord: null, audience: [ann], committedAt: 'x' }
}

function open() {
  let timeMs = 0
  let lastId = 0
  const recent = createRecentEvents(() => timeMs)
  return {
    recent,
    /** Adds a row with changes of these names and returns their positions. */
    add(names: readonly string[], bytes = 100): string[] {
      const events = [{ kind: 'changes' as const, changes: names.map(changeOf) }]
      const positioned = recent.add({ id: ++lastId, createdAtUs: startUs + lastId, events, bytes })
      return positioned.flatMap((event) =>
        event.kind === 'changes' ? event.changes.map(({ committedAt }) => committedAt) : [],
      )
    },
    passTime(ms: number) {
      timeMs += ms
    },
    namesSince: (position: string) =>
      recent
        .since(ann, position)
        ?.filter((change) => change !== null)
        .filter(({ committedAt }) => mayLack(committedAt, position))
        .map(({ record }) => (record as UserRow).username),
  }
}

test('changes after a position are returned until its row is older than the limit, then the position is unknown', () => {
  const { add, passTime, namesSince, recent } = open()
  const [one = ''] = add(['one'])
  const end = recent.position()
  passTime(1)
  add(['two', 'three'])
  passTime(recentEventsLimits.maxAgeMs - 1)
  expect(namesSince(one)).toEqual(['two', 'three'])
  passTime(1)
  expect(namesSince(one)).toBeUndefined()
  // Nothing after the end of that row is missing.
  expect(namesSince(end)).toEqual(['two', 'three'])
  passTime(1)
  expect(namesSince(end)).toBeUndefined()
  expect(namesSince(recent.position())).toEqual([])
})

test('rows are dropped, oldest first, above the limit of their size', () => {
  const { add, namesSince, recent } = open()
  const positions = [0, 1, 2, 3].map((number) => {
    add([String(number)], recentEventsLimits.maxBytes / 3)
    return recent.position()
  })
  expect(positions.map(namesSince)).toEqual([['1', '2', '3'], ['2', '3'], ['3'], []])
  add(['large'], recentEventsLimits.maxBytes + 1)
  expect(positions.map(namesSince)).toEqual([undefined, undefined, undefined, undefined])
  expect(namesSince(recent.position())).toEqual([])
})

test('no position from before a loss of rows is known after it', () => {
  const { add, namesSince, recent } = open()
  const positions = [...add(['one']), recent.position()]
  recent.skipTo({ id: 100, createdAtUs: startUs })
  expect(positions.map(namesSince)).toEqual([undefined, undefined])
  expect(namesSince(recent.position())).toEqual([])
})

test('a client that was interrupted within a row with very many changes lacks none of the rest', () => {
  const { add, namesSince } = open()
  const names = Array.from({ length: 200 }, (_, index) => String(index))
  const positions = add(names)
  for (const [index, position] of positions.entries()) {
    const missed = namesSince(position) ?? []
    expect(missed.slice(missed.indexOf(String(index)) + 1)).toEqual(names.slice(index + 1))
    if (index < 90) expect(missed).toHaveLength(199 - index)
  }
})

test('positions increase as texts from row to row, change to change and frame to frame, whatever the clock does', () => {
  const row = fc.record({ time: fc.integer({ min: 0, max: 2000 }), count: fc.constantFrom(1, 2, 1500) })
  const rows = fc.array(row, { minLength: 2, maxLength: 20 })
  fc.assert(
    fc.property(rows, (steps) => {
      let last = startUs
      let latest = ''
      for (const { time, count } of steps) {
        for (let row = 0; row < count; row++) last = nextRowUs(last, startUs + time)
        const prefix = prefixOf(last)
        for (const [change, frame] of [
          [0, 0],
          [0, 1],
          [1, 0],
          [97, 9],
        ] as const) {
          const position = positionOf(prefix, change, frame)
          expect(position > latest).toBe(true)
          expect(rowOf(position)).toBe(prefix)
          expect(Number.isNaN(Date.parse(position))).toBe(false)
          latest = position
        }
      }
    }),
  )
})
