import { expect, it } from 'vitest'
import { operations } from '../operations.ts'

/** Matches names of fields and parameters that would contain or request a distance. */
const distanceName = /distance|metres|meters|_km$|_m$|radius|proximity|nearest|nearby|(?:^|_)eta(?:_|$)/i

/** All property names in a schema, at any depth. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const properties = (schema as { properties?: Record<string, unknown> }).properties
  const own = properties === undefined ? [] : Object.keys(properties)
  return [...own, ...Object.values(schema).flatMap(namesIn)]
}

/** The size of an area, which the owner of a ping chooses and which is the same for every viewer. */
const areaSizes = ['area_km', 'place_radius_m', 'radius_m']

it('no operation returns a distance', () => {
  const found = operations.flatMap((operation) =>
    namesIn(operation.replies)
      .filter((name) => distanceName.test(name) && !areaSizes.includes(name))
      .map((name) => `${operation.address}: ${name}`),
  )
  expect(operations.length).toBeGreaterThan(40)
  expect(found).toEqual([])
})

it('only geocoding operations accept a position, besides the place of a ping and of a message', () => {
  const takesPosition = operations.filter((operation) => {
    const { query, body, params } = operation as { query?: unknown; body?: unknown; params?: unknown }
    return [query, body, params]
      .flatMap(namesIn)
      .some((name) => /^(?:lat|lng|lon|latitude|longitude|bbox|near)$/.test(name))
  })
  expect(takesPosition.map(({ address }) => address).sort()).toEqual([
    'GET /geo/area',
    'GET /geo/reverse',
    'GET /geo/search',
    'PATCH /pings/:id',
    'POST /geo/area',
    'POST /geo/reverse',
    'POST /geo/search',
    'POST /messages/send',
    'POST /pings/',
  ])
})
