import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../harness.ts'
import { operations } from '../operations.ts'

let server: TestServer
let ann: Person
let bob: Person

beforeAll(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
  await server.befriend(ann, bob)
})

afterAll(() => server.close())

const forgedId = randomUUID()
const long = '2001-01-01T00:00:00.000Z'

/** Columns and fields that clients must not be able to set. */
function forged() {
  return {
    id: forgedId,
    user_id: bob.id,
    owner_id: bob.id,
    creator_id: bob.id,
    sender_id: bob.id,
    session_id: forgedId,
    role: 'admin',
    is_admin: true,
    is_confirmed: true,
    confirmed_at: long,
    created_at: long,
    expires_at: '2099-01-01T00:00:00.000Z',
    status: 'active',
    seq: 1,
    kind: 'system',
    password_hash: 'forged',
    storage_key: '../../forged',
  }
}

/** All rows of all tables, as text. */
async function allRows(): Promise<string> {
  const tables = await server.db<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`
  const rows: unknown[] = []
  for (const { name } of tables) rows.push(await server.db`select * from ${server.db(name)}`)
  return JSON.stringify(rows)
}

function post(path: string, body: object, as?: Person, method = 'POST') {
  return server.request(method, `/api${path}`, { body: { ...forged(), ...body }, ...(as && { as }) })
}

describe('unknown fields in a request', () => {
  it('are ignored for an account, a profile, a ping, a conversation and a message', async () => {
    const signedUp = await post('/auth/signup', { email: 'cat@example.org', username: 'cat', password })
    expect(signedUp).toMatchObject({ status: 201, body: { user: { username: 'cat' } } })
    expect((signedUp.body as { user: { id: string } }).user.id).not.toBe(forgedId)

    expect((await post(`/users/${ann.id}`, { username: 'anna' }, ann, 'PATCH')).status).toBe(200)
    const place = { name: 'Here', latitude: 1, longitude: 2 }
    const ping = await post('/pings/', { ...place, duration_minutes: 15, recipient_ids: [bob.id] }, ann)
    expect(ping).toMatchObject({ status: 201, body: { user_id: ann.id } })
    const chat = await post('/messages/conversations/', { participant_ids: [bob.id] }, ann)
    expect(chat.status).toBeLessThan(300)
    const { id: conversation_id } = chat.body as { id: string }
    const said = await post('/messages/send', { conversation_id, content: 'Hello' }, ann)
    expect(said).toMatchObject({ status: 201, body: { message: { sender_id: ann.id } } })

    const rows = await allRows()
    expect(rows).toContain('anna')
    expect(rows).not.toMatch(/forged|2099-|2001-/)
    expect(rows).not.toContain(forgedId)
    expect(await server.db`select user_id from admins`).toEqual([])
    expect(await server.db`select id from location_pins where user_id = ${bob.id}`).toEqual([])
  })
})

interface Schema {
  type?: string
  additionalProperties?: unknown
  patternProperties?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

/** The paths of all objects in a schema that allow additional properties. */
function openPlaces(schema: Schema, path: string): string[] {
  const { properties = {}, items, anyOf = [], additionalProperties, patternProperties } = schema
  const isOpen = (additionalProperties ?? false) !== false || patternProperties !== undefined
  const isAnything = Object.keys(schema).every((key) => key === 'description')
  return [
    ...(isOpen || isAnything ? [path] : []),
    ...Object.entries(properties).flatMap(([name, field]) => openPlaces(field, `${path}.${name}`)),
    ...(items ? openPlaces(items, `${path}[]`) : []),
    ...anyOf.flatMap((one) => openPlaces(one, path)),
  ]
}

it('no reply schema allows fields that the contract does not list, except the TileJSON of the operator’s maps', () => {
  const open = operations.flatMap((operation) =>
    Object.entries(operation.replies).flatMap(([status, reply]) =>
      openPlaces(reply as Schema, `${operation.address} ${status}`),
    ),
  )
  expect(open).toEqual(['GET /maps/:name 200.vector_layers[]'])
})

it('no body schema allows fields that the contract does not list', () => {
  const open = operations.flatMap((operation) =>
    openPlaces((operation.body ?? { type: 'null' }) as Schema, operation.address),
  )
  expect(open).toEqual([])
})
