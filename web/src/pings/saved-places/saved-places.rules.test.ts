import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distanceM } from '../../map/location/distance.ts'
import {
  isValidPlaceName,
  orderSaved,
  privatePlaceNear,
  savedPlaceLimits,
  withChangedPlace,
  withoutPlace,
  withSavedPlace,
} from './saved-places.rules.ts'
import type { SavedPlace } from './saved-places.ts'

const home = { latitude: 40.7033, longitude: -74.017 }
const meterOfLatitude = 180 / Math.PI / 6_371_000

function placeOf(change: Partial<SavedPlace> = {}): SavedPlace {
  return {
    id: 'a',
    name: 'Home',
    ...home,
    address: null,
    is_private: true,
    created_at: '2026-01-01T00:00:00Z',
    ...change,
  }
}

const northOf = (meters: number) => ({ ...home, latitude: home.latitude + meters * meterOfLatitude })
const anyPlace = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})
const anySaved = fc.uniqueArray(
  fc
    .tuple(fc.uuid(), fc.string(), anyPlace, fc.boolean())
    .map(([id, name, place, is_private]) => placeOf({ id, name, ...place, is_private })),
  { selector: ({ id }) => id, maxLength: 50 },
)

test('a private place is near at 199 m and not at 201 m, and another place never is', () => {
  expect(privatePlaceNear([placeOf()], northOf(199))?.name).toBe('Home')
  expect(privatePlaceNear([placeOf()], northOf(201))).toBeNull()
  expect(privatePlaceNear([placeOf({ is_private: false })], home)).toBeNull()
  expect(privatePlaceNear([placeOf()], null)).toBeNull()
})

test('the nearest of several private places is named, also across the date line', () => {
  const [east, west] = [placeOf({ longitude: 179.9999 }), placeOf({ id: 'b', name: 'West', longitude: -179.9999 })]
  expect(privatePlaceNear([east, west], { ...home, longitude: -179.9998 })?.name).toBe('West')
  expect(privatePlaceNear([east], { ...home, longitude: -179.9998 })?.name).toBe('Home')
})

test('saved places are in the order of their distance, and all of them are listed', () => {
  fc.assert(
    fc.property(anySaved, anyPlace, (places, near) => {
      const ordered = orderSaved(places, near)
      expect(new Set(ordered)).toEqual(new Set(places))
      const awayM = ordered.map((place) => distanceM(place, near))
      expect(awayM).toEqual([...awayM].sort((a, b) => a - b))
    }),
  )
})

test('without a map the names decide the order', () => {
  const names = ['Office', 'Gym', 'Home'].map((name) => placeOf({ id: name, name }))
  expect(orderSaved(names, null).map(({ name }) => name)).toEqual(['Gym', 'Home', 'Office'])
})

test('at most 50 places are saved', () => {
  const places = Array.from({ length: 49 }, (_, n) => placeOf({ id: String(n) }))
  const full = withSavedPlace(places, placeOf({ id: 'last' }))
  expect(full).toHaveLength(50)
  expect(withSavedPlace(full, placeOf({ id: 'more' }))).toBe(full)
})

test('a change of a place that was removed changes nothing', () => {
  const places = [placeOf(), placeOf({ id: 'b', name: 'Office' })]
  expect(withChangedPlace(places, 'b', { name: 'Studio' }).map(({ name }) => name)).toEqual(['Home', 'Studio'])
  expect(withChangedPlace(withoutPlace(places, 'b'), 'b', { name: 'Studio' })).toEqual([placeOf()])
})

test('a name has 1 to 40 characters besides the space around it', () => {
  const { nameMax } = savedPlaceLimits
  expect(['', '  ', 'x'.repeat(nameMax + 1)].map(isValidPlaceName)).toEqual([false, false, false])
  expect(['x', `  ${'😀'.repeat(nameMax)} `].map(isValidPlaceName)).toEqual([true, true])
})
