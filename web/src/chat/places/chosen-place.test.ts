import { expect, test } from 'vitest'
import { isSamePlace, namedPlace } from './chosen-place.ts'

const place = { latitude: 40.7589, longitude: -73.9851 }

test('sends the name and the address of a found place', () => {
  const found = { ...place, name: ' Nero ', address: '1 Main Street' }
  expect(namedPlace(place, found, '')).toEqual({ ...place, name: 'Nero', address: '1 Main Street' })
})

test('sends a place of the map without a name, with the address that was looked up', () => {
  expect(namedPlace(place, null, ' 1 Main Street ')).toEqual({ ...place, name: null, address: '1 Main Street' })
  expect(namedPlace(place, null, '')).toEqual({ ...place, name: null, address: null })
})

test('does not send coordinates as a name', () => {
  const found = { ...place, name: '40.7589, -73.9851', address: 'Coordinates' }
  expect(namedPlace(place, found, '')).toEqual({ ...place, name: null, address: null })
})

test('shortens a name of more than 80 characters without cutting an emoji', () => {
  expect(Array.from(namedPlace(place, { ...place, name: '🍕'.repeat(81), address: null }, '').name ?? '')).toHaveLength(
    80,
  )
})

test('takes rounding errors of the map for the same place', () => {
  expect(isSamePlace(place, { ...place, latitude: 40.758_900_01 })).toBe(true)
  expect(isSamePlace(place, { ...place, latitude: 40.7591 })).toBe(false)
})
