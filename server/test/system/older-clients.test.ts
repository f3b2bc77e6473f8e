import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAdmin } from '../../src/moderation/harness.ts'
import { type Person, startServer, type TestServer } from '../harness.ts'

let server: TestServer
let root: Person

beforeAll(async () => {
  server = await startServer()
  root = await makeAdmin(server, await server.signUp('root'))
})
afterAll(() => server.close())

/**
 * The calls whose answers have new fields, with the fields that the client of the version before reads, and an example of each. That
 * client ignores all others.
 */
const recorded = {
  '/api/config': {
    version: '0.1.0',
    map: {},
    geocoder: false,
    directions_url: '',
    locales: [],
    default_locale: 'en',
    google_client_id: null,
    oidc: null,
    push_key: '',
    registration: 'open',
    features: {},
  },
  '/api/admin/status': {
    version: '0.1.0',
    started_at: '',
    database: 'postgresql',
    database_version: '18.4',
    database_bytes: 1,
    pictures: 0,
    picture_bytes: 0,
    picture_bytes_per_user_max: 1,
    most_pictures: [],
    users: 1,
    live_pings: 0,
    open_reports: 0,
    waiting: {},
    registration: 'open',
    member_invites: 0,
  },
  '/api/admin/role': { is_admin: true, is_claimable: false },
} as const

it.each(Object.entries(recorded))('%s has every field that the previous client reads', async (path, fields) => {
  const { status, body } = await server.request('GET', path, { as: root })
  expect(status).toBe(200)
  for (const [name, example] of Object.entries(fields))
    expect([name, kindOf((body as Record<string, unknown>)[name])]).toEqual([name, kindOf(example)])
})

it('a claim, a change of the registration and the admin log answer the requests of the previous client as before', async () => {
  const body = { code: 'AAAA-AAAA-AAAA-AAAA-AAAA' }
  expect(await server.request('POST', '/api/admin/claim', { body, as: root })).toMatchObject({
    status: 403,
    body: { detail: 'This code is not valid. Restart the server to get a new one.', code: 'admin_code_invalid' },
  })
  const changed = await server.request('PUT', '/api/admin/registration', { body: { mode: 'open' }, as: root })
  expect(changed.status).toBe(204)
  const { body: log } = await server.request('GET', '/api/admin/actions', { as: root })
  expect((log as object[]).map((action) => Object.keys(action).sort())).toEqual(
    Array(2).fill(['acted_at', 'action', 'admin_username', 'id', 'note', 'username']),
  )
})

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
}
