import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crowded } from './captions.ts'
import { indexOf, inView } from './clusters.ts'
import type { Pin } from './pins.ts'

const world = { west: -180, south: -85, east: 180, north: 85 }

function pinAt(id: string, latitude: number, longitude: number, look: Pin['look'] = 'friend'): Pin {
  return {
    id,
    latitude,
    longitude,
    radiusM: null,
    look,
    userId: 'u',
    name: 'ann',
    hasImage: false,
    fractionLeft: 1,
    caption: '',
    note: null,
    label: '',
  }
}

test('close pins form a cluster until they can be shown separately, and the cluster shows whether one is mine', () => {
  const index = indexOf([pinAt('a', 40.75, -73.98), pinAt('b', 40.751, -73.98, 'own'), pinAt('paris', 48.85, 2.35)])
  const far = inView(index, world, 3)
  expect([...far.pinIds]).toEqual(['paris'])
  expect(far.clusters).toMatchObject([{ count: 2, hasOwn: true }])
  expect([...inView(index, world, 16).pinIds].sort()).toEqual(['a', 'b', 'paris'])
})

test('every pin is shown or counted exactly once at any zoom', () => {
  const place = fc.record({
    latitude: fc.double({ min: -80, max: 80, noNaN: true }),
    longitude: fc.double({ min: -180, max: 179.9, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(place, { maxLength: 60 }), fc.integer({ min: 0, max: 19 }), (places, zoom) => {
      const index = indexOf(places.map(({ latitude, longitude }, i) => pinAt(String(i), latitude, longitude)))
      const { pinIds, clusters } = inView(index, world, zoom)
      expect(pinIds.size + clusters.reduce((sum, { count }) => sum + count, 0)).toBe(places.length)
    }),
  )
})

test('shown captions overlap neither each other nor a marker', () => {
  const spot = fc.record({ x: fc.integer({ min: 0, max: 300 }), y: fc.integer({ min: 0, max: 300 }) })
  fc.assert(
    fc.property(fc.array(spot, { maxLength: 40 }), (spots) => {
      const named = spots.map((place, i) => ({ id: String(i), ...place }))
      const hidden = crowded(named)
      const shown = named.filter(({ id }) => !hidden.has(id))
      for (const a of shown) {
        for (const b of named) {
          if (a === b || b.y < a.y) continue
          const overlapsMarker = Math.abs(a.x - b.x) < 46 && b.y - 44 < a.y + 20
          const overlapsCaption = !hidden.has(b.id) && Math.abs(a.x - b.x) < 52 && b.y < a.y + 20
          // Of two at the same height either caption may be shown, but not both.
          if (b.y > a.y) expect(overlapsMarker || overlapsCaption).toBe(false)
          else expect(overlapsCaption).toBe(false)
        }
      }
    }),
  )
})
