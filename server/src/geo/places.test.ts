import { expect, test } from 'vitest'
import { createPlaces } from './places.ts'

const places = createPlaces()
const namesOf = async (query: string) =>
  (await places.search(query, 8)).map(({ name, address }) => `${name}, ${address}`)

test.each([
  [40.744, -74.0324, 'near Hoboken, New Jersey, US'],
  [51.5033, -0.1196, 'near London, England, GB'],
  [1.3521, 103.8198, 'near Singapore, SG'],
  [-33.8568, 151.2153, 'near Sydney, New South Wales, AU'],
])('returns for %f, %f the place %s', async (latitude, longitude, address) => {
  expect(await places.near(latitude, longitude)).toBe(address)
})

test('returns nothing in the middle of an ocean, and works across the date line', async () => {
  expect(await places.near(35, -40)).toBeNull()
  expect(await places.near(90, 0)).toBeNull()
  expect(await places.near(-16.85, 179.999)).toBe(await places.near(-16.85, 179.998))
})

test('finds places by a prefix of the name, the largest first', async () => {
  expect((await namesOf('hobok'))[0]).toBe('Hoboken, New Jersey, US')
  expect((await namesOf('new yor'))[0]).toBe('New York City, New York, US')
  expect((await namesOf('paris'))[0]).toMatch(/^Paris, .*FR$/)
  expect(await places.search('hoboken', 1)).toEqual([
    { name: 'Hoboken', address: 'New Jersey, US', latitude: 40.744, longitude: -74.0324 },
  ])
})

test('ignores accents, case and hyphens in names and queries', async () => {
  expect((await namesOf('SAO PAULO'))[0]).toMatch(/^São Paulo, /)
  expect((await namesOf('malmo'))[0]).toMatch(/^Malmö, /)
  expect((await namesOf('lodz'))[0]).toMatch(/^Łódź, /)
  expect((await namesOf('Saint Etienne'))[0]).toMatch(/^Saint-Étienne, /)
})

test('narrows by a region or a country after the name, with or without a comma', async () => {
  for (const query of ['paris, texas', 'paris texas', 'Paris, Tex, US', 'paris united states'])
    expect((await namesOf(query))[0], query).toMatch(/^Paris, .*US$/)
  expect((await namesOf('hoboken belgium'))[0]).toMatch(/^Hoboken, .*BE$/)
})

test('finds nothing for a text that is no place', async () => {
  for (const query of ['qqqqqqq', ',', '  ', ', texas', '😀']) expect(await namesOf(query), query).toEqual([])
})
