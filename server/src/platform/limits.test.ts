import { randomUUID } from 'node:crypto'
import { getConfig } from '@hither/contract/config.ts'
import { realtimePath } from '@hither/contract/feeds.ts'
import { uploadProfileImage } from '@hither/contract/files.ts'
import { type Operation, type RateLimit } from '@hither/contract/operation.ts'
import { getPing, getPingPreview } from '@hither/contract/pings.ts'
import { updateUser } from '@hither/contract/users.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { nameOf, operations } from '../../test/operations.ts'
import { ceiling } from './rate-limits.ts'

let server: TestServer
let ann: Person
let bob: Person

beforeAll(async () => {
  server = await startServer({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
})

afterAll(() => server.close())

const tooMany = { status: 429, body: { detail: 'Too many attempts. Please wait a moment and try again.' } }

/** As many calls as there may be at once: what they, and the one after, answered. */
async function useUp({ max }: Pick<RateLimit, 'max'>, call: () => Promise<{ status: number; body: unknown }>) {
  const statuses = new Set<number>()
  for (let left = max; left > 0; left -= 20) {
    const answers = await Promise.all(Array.from({ length: Math.min(20, left) }, call))
    for (const { status } of answers) statuses.add(status)
  }
  return { all: [...statuses], next: await call() }
}

function limitOf(operation: Operation): RateLimit {
  const [limit] = operation.rateLimits ?? []
  if (!limit) throw new Error(`${nameOf(operation)} has no limit`)
  return limit
}

/**
 * What changes something and has no limit of its own but the ceiling: it costs as little as a read, ends or undoes
 * something of the caller's own, or is for admins alone.
 */
const belowCeilingOnly = [
  'POST /auth/logout',
  'DELETE /auth/sessions',
  'DELETE /auth/sessions/:id',
  'DELETE /files/pin-image/:pingId',
  'DELETE /files/profile-image',
  'DELETE /friends/:id',
  'PATCH /friends/:id/respond',
  'DELETE /friends/block/:username',
  'DELETE /messages/conversations/:id',
  'DELETE /messages/messages/:id',
  'PATCH /messages/conversations/:id/mark-read',
  'DELETE /notifications/mutes/:conversationId',
  'DELETE /notifications/subscription',
  'PATCH /notifications/preferences',
  'DELETE /pings/my-ping',
  'DELETE /pings/:id',
  'DELETE /pings/respond/:id',
]

describe('the contract', () => {
  it('limits each call that changes something, brings a file, or can be made without an account', () => {
    const open = operations
      .filter(
        ({ method, path, auth, upload }) =>
          (method !== 'GET' || upload || auth !== 'required') &&
          (!path.startsWith('/admin/') || path.endsWith('/claim')),
      )
      .filter(({ rateLimits = [] }) => rateLimits.length === 0)
      .map(nameOf)
    const readByAnyone = ['GET /config', 'GET /maps/:name']
    expect(open.toSorted()).toEqual([...belowCeilingOnly, ...readByAnyone].toSorted())
  })

  it('counts what nobody signs in for by where it comes from', () => {
    const uncounted = operations.filter(
      ({ auth, rateLimits = [] }) =>
        auth !== 'required' &&
        rateLimits.length > 0 &&
        !rateLimits.some(({ by }) => by === 'address' || by === 'visitor'),
    )
    expect(uncounted.map(nameOf)).toEqual([])
  })
})

describe('one person', () => {
  it('may bring only so many pictures, whatever comes of them', async () => {
    const upload = () => {
      const form = new FormData()
      form.set('file', new Blob(['no picture']), 'a.jpg')
      const headers = { authorization: `Bearer ${ann.session.access_token}` }
      return fetch(`${server.url}/api${uploadProfileImage.path}`, { method: 'POST', body: form, headers }).then(
        async (answer) => ({ status: answer.status, body: await answer.json() }),
      )
    }
    const { all, next } = await useUp(limitOf(uploadProfileImage), upload)
    expect(all).toEqual([415])
    expect(next).toMatchObject(tooMany)
  })

  it('may try only so many names for free ones', async () => {
    const rename = () => server.call(updateUser, { params: { id: ann.id }, body: { username: 'bob' } }, ann)
    const { all, next } = await useUp(limitOf(updateUser), rename)
    expect(all).toEqual([409])
    expect(next).toMatchObject(tooMany)
  })

  it('may call only so often altogether, however wrong the calls are, and takes nothing from another', async () => {
    const wrong = () => server.request('PATCH', '/api/notifications/preferences', { body: '{', as: bob })
    const { all, next } = await useUp(ceiling, wrong)
    expect(all).toEqual([422])
    expect(next).toMatchObject(tooMany)
    expect((await server.request('GET', '/api/users/me', { as: bob })).status).toBe(429)
    expect((await server.request('GET', '/api/users/me', { as: ann })).status).toBe(200)
    server.clock.advance(1000)
    expect((await server.request('GET', '/api/users/me', { as: bob })).status).toBe(200)
  })
})

describe('broadcasts over HTTP', () => {
  const path = `/api${realtimePath}/api/broadcast`

  it('count before they are read', async () => {
    const cat = await server.signUp('cat')
    const { all, next } = await useUp(ceiling, () => server.request('POST', path, { body: '{', as: cat }))
    expect(all).toEqual([422])
    expect(next).toMatchObject(tooMany)
  })

  it('are refused by size before they are validated', async () => {
    const dan = await server.signUp('dan')
    const large = { messages: Array.from({ length: 40_000 }, () => 7) }
    expect((await server.request('POST', path, { body: large, as: dan })).status).toBe(413)
    const wrong = { messages: Array.from({ length: 20 }, () => ({})) }
    const { status, body } = await server.request('POST', path, { body: wrong, as: dan })
    expect(status).toBe(422)
    expect((body as { detail: unknown[] }).detail).toHaveLength(20)
  })
})

describe('one address', () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const pathOf = ({ path }: Operation) => `/api${path.replace(/:\w+/, randomUUID())}`

  it.each([
    ['guess at pings', getPing, 404],
    ['have cards drawn', getPingPreview, 200],
  ] as const)('may %s only so often without an account', async (_name, operation, status) => {
    const ask = (address: string) => server.request('GET', pathOf(operation), from(address))
    const { all, next } = await useUp(limitOf(operation), () => ask('203.0.113.20'))
    expect(all).toEqual([status])
    expect(next).toMatchObject(tooMany)
    expect((await ask('203.0.113.21')).status).toBe(status)
  })

  it('is not counted as a visitor for whoever is signed in', async () => {
    await useUp(limitOf(getPing), () => server.request('GET', pathOf(getPing), from('203.0.113.22')))
    const answer = await server.request('GET', pathOf(getPing), { ...from('203.0.113.22'), as: ann })
    expect(answer.status).toBe(404)
  })

  it('may have only so many tiles', async () => {
    const tile = () => server.request('GET', '/api/maps/none/1/0/0', from('203.0.113.23'))
    const getTile = operations.find(({ path }) => path === '/maps/:name/:z/:x/:y') as Operation
    const { all, next } = await useUp(limitOf(getTile), tile)
    expect(all).toEqual([404])
    expect(next).toMatchObject(tooMany)
  })

  it.each([
    ['/pins/0190a0a0-0000-7000-8000-00000000000a', '203.0.113.30'],
    ['/api/openapi.json', '203.0.113.31'],
    ['/api/docs/', '203.0.113.32'],
    ['/readyz', '203.0.113.33'],
    ['/preview.png', '203.0.113.34'],
    ['/api/nothing', '203.0.113.35'],
  ])('may ask for %s only so often', async (path, address) => {
    const ask = () => server.request('GET', path, from(address))
    await useUp(ceiling, () => server.request('GET', `/api${getConfig.path}`, from(address)))
    expect(await ask()).toMatchObject({ status: 429 })
    server.clock.advance(1000)
    expect((await ask()).status).not.toBe(429)
  })

  it('may call only so often altogether', async () => {
    const { all, next } = await useUp(ceiling, () =>
      server.request('GET', `/api${getConfig.path}`, from('203.0.113.24')),
    )
    expect(all).toEqual([200])
    expect(next).toMatchObject(tooMany)
    expect((await server.request('GET', '/healthz', from('203.0.113.24'))).status).toBe(200)
  })
})
