import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Places, placesIn } from './places.ts'

const places: Places = {
  name: ['Metropolis', 'City', 'Town', 'Village', 'Date Line'],
  class: 'cctvc',
  rank: [1, 7, 9, 12, 2],
  longitude: [0, 1000, 2000, 3000, 179_900],
  latitude: [0, 0, 0, 0, 0],
}
const here = { west: -10, east: 10, south: -10, north: 10 }
const namesIn = (bounds: typeof here, zoom: number) =>
  placesIn(places, bounds, zoom).features.map(
    (feature) => (feature as { properties: { name: string } }).properties.name,
  )

test('a closer zoom includes smaller places', () => {
  expect([2, 3, 6, 7, 10].map((zoom) => namesIn(here, zoom).length)).toEqual([0, 1, 2, 3, 4])
  expect(placesIn(places, here, 3).features).toEqual([
    {
      type: 'Feature',
      properties: { class: 'city', name: 'Metropolis', rank: 1 },
      geometry: { type: 'Point', coordinates: [0, 0] },
    },
  ])
})

test('returns places of the whole world and across the date line', () => {
  expect(namesIn({ ...here, west: -400, east: 400 }, 10)).toHaveLength(5)
  expect(namesIn({ ...here, west: 170, east: 190 }, 10)).toEqual(['Date Line'])
  expect(namesIn({ ...here, west: -190, east: -170 }, 10)).toEqual(['Date Line'])
})

test('places within a part of the bounds are within the whole bounds', () => {
  const degrees = fc.double({ min: -80, max: 80, noNaN: true })
  fc.assert(
    fc.property(degrees, degrees, degrees, degrees, (a, b, c, d) => {
      const part = { west: Math.min(a, b), east: Math.max(a, b), south: Math.min(c, d), north: Math.max(c, d) }
      const whole = { west: part.west - 1, east: part.east + 1, south: part.south - 1, north: part.north + 1 }
      expect(namesIn(whole, 10)).toEqual(expect.arrayContaining(namesIn(part, 10)))
    }),
  )
})
