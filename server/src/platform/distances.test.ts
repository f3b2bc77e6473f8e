import { expect, it } from 'vitest'
import { nameOf, operations } from '../../test/operations.ts'

/** Names of fields and parameters that would hold or ask for a distance. */
const distanceName = /distance|metres|meters|_km$|_m$|radius|proximity|nearest|nearby|(?:^|_)eta(?:_|$)/i

/** Every property name in a schema, at any depth. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const properties = (schema as { properties?: Record<string, unknown> }).properties
  const own = properties === undefined ? [] : Object.keys(properties)
  return [...own, ...Object.values(schema).flatMap(namesIn)]
}

it('no operation answers with a distance', () => {
  const found = operations.flatMap((operation) =>
    namesIn(operation.replies)
      .filter((name) => distanceName.test(name))
      .map((name) => `${nameOf(operation)}: ${name}`),
  )
  expect(operations.length).toBeGreaterThan(40)
  expect(found).toEqual([])
})

it('only place look-ups take a position, and only the place of a pin is sent otherwise', () => {
  const takesPosition = operations.filter((operation) => {
    const { query, body, params } = operation as { query?: unknown; body?: unknown; params?: unknown }
    return [query, body, params]
      .flatMap(namesIn)
      .some((name) => /^(?:lat|lng|lon|latitude|longitude|bbox|near)$/.test(name))
  })
  expect(takesPosition.map(nameOf).sort()).toEqual(['GET /geo/reverse', 'GET /geo/search', 'POST /pings/'])
})
