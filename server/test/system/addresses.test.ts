import { expect, it } from 'vitest'
import { startServer } from '../harness.ts'
import { operations } from '../operations.ts'

/** Values of a fixed list, numbers, and ids of stored rows. Proxies log addresses, so nothing else may be in one. */
const harmless = ['limit', 'offset', 'before', 'after', 'around', 'recipients', 'state', 'only', 'size', 'view', 'v']
/** The username of somebody whom the caller blocks, a kind of sign-in, and parts of the address of a tile. */
const harmlessInPath = ['username', 'kind', 'name', 'z', 'x', 'y']

const current = operations.filter((operation) => !('deprecated' in operation))
const namesIn = (schema: unknown) => Object.entries((schema as { properties?: object } | undefined)?.properties ?? {})

it('no address of a call has a place, a text that somebody typed, or a secret', () => {
  const found = current.flatMap((operation) => {
    const { query, params } = operation as { query?: unknown; params?: unknown }
    const inQuery = namesIn(query).filter(([name, schema]) => !harmless.includes(name) && !isId(schema))
    const inPath = namesIn(params).filter(([name, schema]) => !harmlessInPath.includes(name) && !isId(schema))
    return [...inQuery, ...inPath].map(([name]) => `${operation.address}: ${name}`)
  })
  expect(found).toEqual([])
})

it('the former addresses are marked as deprecated, count as the calls that replace them, and answer alike', async () => {
  const deprecated = operations.filter((operation) => 'deprecated' in operation)
  expect(deprecated.map(({ address }) => address).sort()).toEqual([
    'GET /admin/users',
    'GET /geo/area',
    'GET /geo/reverse',
    'GET /geo/search',
    'GET /messages/search',
    'GET /users/lookup/:username',
  ])
  const server = await startServer({ RATE_LIMITS: 'on' })
  try {
    const { paths } = (await server.request('GET', '/api/openapi.json')).body as {
      paths: Record<string, Record<string, { deprecated?: boolean }>>
    }
    const marked = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, method]) => method.deprecated)
        .map(([method]) => `${method.toUpperCase()} ${path.slice('/api'.length)}`),
    )
    expect(marked.sort()).toEqual(
      deprecated.map((operation) => operation.address.replace(':username', '{username}')).sort(),
    )

    const [ann, bob] = [await server.signUp('ann'), await server.signUp('bob')]
    const calls = [
      ['/geo/reverse?lat=40.744&lng=-74.0324', '/geo/reverse', { lat: 40.744, lng: -74.0324 }],
      ['/geo/area?lat=40.744&lng=-74.0324&area_km=1', '/geo/area', { lat: 40.744, lng: -74.0324, area_km: 1 }],
      ['/geo/search?q=hobok', '/geo/search', { q: 'hobok' }],
      ['/messages/search?q=hello&limit=2', '/messages/search', { q: 'hello', limit: 2 }],
      [`/users/lookup/${bob.username}`, '/users/lookup', { username: bob.username }],
      ['/messages/search?q=?', '/messages/search', { q: '?' }],
    ] as const
    for (const [former, path, body] of calls) {
      const before = await server.request('GET', `/api${former}`, { as: ann })
      const now = await server.request('POST', `/api${path}`, { body, as: ann })
      expect(now.status).toBe(before.status)
      expect(now.body).toEqual(JSON.parse(JSON.stringify(before.body).replaceAll('"query","', '"body","')))
    }
    for (let call = 0; call < 29; call++)
      await server.request('POST', '/api/users/lookup', { body: { username: 'x' }, as: ann })
    for (let call = 0; call < 29; call++) await server.request('GET', '/api/users/lookup/x', { as: ann })
    expect((await server.request('GET', '/api/users/lookup/x', { as: ann })).status).toBe(429)
    expect((await server.request('POST', '/api/users/lookup', { body: { username: 'x' }, as: ann })).status).toBe(429)
  } finally {
    await server.close()
  }
})

/** The schema of an id accepts nothing else. */
function isId(schema: unknown): boolean {
  const { type, format } = schema as { type?: string; format?: string }
  return format === 'uuid' || type === 'integer'
}
