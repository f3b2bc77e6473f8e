import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { gridOf } from '../engine/grid.ts'
import { areasOf, type Pin, spread } from './pins.ts'

const nearPx = 30
const gapPx = 36

describe('markers', () => {
  test('without close neighbours do not move', () => {
    const offsets = spread(
      [
        { id: 'a', x: 0, y: 0 },
        { id: 'b', x: 31, y: 0 },
      ],
      nearPx,
      gapPx,
    )
    expect([...offsets.values()]).toEqual([
      [0, 0],
      [0, 0],
    ])
  })

  test('at one place are spread until each can be clicked', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 60 }), (count) => {
        const spots = Array.from({ length: count }, (_, i) => ({ id: String(i), x: 100, y: 100 }))
        const places = [...spread(spots, nearPx, gapPx).values()]
        for (const [i, a] of places.entries()) {
          for (const b of places.slice(i + 1)) expect(Math.hypot(a[0] - b[0], a[1] - b[1])).toBeGreaterThan(24)
        }
      }),
      { numRuns: 20 },
    )
  })

  test('are spread in hundreds without overlap, also across the edges of the sorting cells', () => {
    const spot = fc.record({ x: fc.integer({ min: -500, max: 500 }), y: fc.integer({ min: -500, max: 500 }) })
    fc.assert(
      fc.property(fc.array(spot, { maxLength: 300 }), (places) => {
        const spots = places.map((place, i) => ({ id: String(i), ...place }))
        expect(spread(spots, nearPx, gapPx).size).toBe(spots.length)
      }),
      { numRuns: 30 },
    )
    const [, moved] = [
      ...spread(
        [
          { id: 'a', x: 29, y: -1 },
          { id: 'b', x: 31, y: 1 },
        ],
        nearPx,
        gapPx,
      ).values(),
    ]
    expect(moved).not.toEqual([0, 0])
  })
})

test('the grid covers the view with few lines, at any zoom', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 9, max: 19, noNaN: true }),
      fc.double({ min: -179, max: 179, noNaN: true }),
      fc.double({ min: -80, max: 80, noNaN: true }),
      (zoom, longitude, latitude) => {
        const half = 360 / 2 ** zoom
        const view = {
          west: longitude - half,
          east: longitude + half,
          south: latitude - half / 4,
          north: latitude + half / 4,
        }
        const { coordinates } = gridOf(view, zoom)
        const longitudes = coordinates.flat().map(([x]) => x ?? Number.NaN)
        expect(Math.min(...longitudes)).toBeLessThanOrEqual(view.west + 1e-9)
        expect(Math.max(...longitudes)).toBeGreaterThanOrEqual(view.east - 1e-9)
        expect(coordinates.length).toBeLessThan(60)
      },
    ),
    { numRuns: 50 },
  )
})

test('pins of one area share its circle, and exact pins have none', () => {
  const center = { latitude: 40.755, longitude: -73.986799 }
  const pins = [
    { ...center, radiusM: 1000 },
    { ...center, radiusM: 1000 },
    { ...center, radiusM: 5000 },
    { ...center, radiusM: null },
  ] as Pin[]
  expect(areasOf(pins)).toEqual([
    { ...center, radiusM: 1000 },
    { ...center, radiusM: 5000 },
  ])
})
