import type { Operation } from '@hither/contract/operation.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../harness.ts'
import { operations } from '../operations.ts'

/** The JSON Schema keywords that the contract uses. */
interface Schema {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
}

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

const codeUnits = fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units))
const awkward = fc.constantFrom(
  ...['', ' ', '\0', 'a\0b', '\ud800', '\udfff\ud800', 'x'.repeat(5000), '__proto__', 'constructor', 'toString'],
  ...['NaN', 'Infinity', '-0', '1e999', '0x10', 'null', 'undefined', 'true', '[object Object]', '{}', '[]'],
  ...[
    "' or 1=1 --",
    '"; drop table users',
    '%',
    '_',
    '$1',
    '\\',
    '../../etc/passwd',
    '{a,b}',
    '\u202e',
    '\ufeff',
    '🧭',
  ],
)
const anyText = fc.oneof(awkward, codeUnits, fc.string({ unit: 'binary' }), fc.constantFrom('ann', 'BOB', 'nobody'))
const anyNumber = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, 1e308, -1e308, 2 ** 53, 2 ** 63, 1e-320))
const anyKey = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'length', ''), codeUnits)
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  anyText,
  anyNumber,
  fc.constantFrom(null, true, false, [], {}),
  fc.dictionary(anyKey, fc.jsonValue()),
)

/** Generates mostly valid values for a schema, and sometimes invalid ones. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: shapeOf(schema), weight: 9 }, { arbitrary: anything, weight: 1 })
}

function shapeOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const [type] = [schema.type].flat()
  switch (type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, fitting(field)] as const)
      return fc.record(Object.fromEntries(fields), { requiredKeys: [] })
    }
    case 'array':
      return fc.array(fitting(schema.items ?? {}), { maxLength: 5 })
    case 'string':
      if (schema.format === 'uuid') return fc.oneof(fc.uuid(), fc.constantFrom('ann', 'bob').map(idOf))
      if (schema.format === 'date-time')
        return fc.oneof(fc.date().map(String), fc.date({ noInvalidDate: true }).map(iso))
      return anyText
    case 'integer':
      return fc.integer()
    case 'number':
      return fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), anyNumber)
    case 'boolean':
      return fc.boolean()
    default:
      return anything
  }
}

function idOf(name: string) {
  return (name === 'ann' ? ann : bob).id
}

function iso(date: Date) {
  return date.toISOString()
}

const brokenBody = fc.oneof(
  fc.constantFrom('{', '[', '"\\ud800"', '{"a":1e999}', '{"__proto__":{"x":1}}', 'NaN', '\0', '"', '{"a":"\\u0000"}'),
  fc.constant('['.repeat(50_000)),
  fc.constant(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`),
  codeUnits,
)

/** Generates a path segment, either encoded as a browser does or malformed. */
function pathPart(schema: Schema): fc.Arbitrary<string> {
  const raw = fc.constantFrom('%', '%ZZ', '%00', '%ED%A0%80', '..%2f..%2f', '%2e%2e', '%25%30%30', 'a'.repeat(300), '*')
  return fc.oneof(
    fitting(schema).map((value) => encodeURIComponent(asText(value).toWellFormed())),
    raw,
  )
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
}

const query = fc.oneof(
  fc.constant(''),
  fc.dictionary(codeUnits, anyText, { maxKeys: 4 }).map((fields) => `?${new URLSearchParams(fields)}`),
  fc.constantFrom(
    '?limit=NaN&offset=-1',
    '?limit=1&limit=2',
    '?a[__proto__]=1',
    '?%',
    '?%ZZ=%ZZ',
    '?__proto__=1',
    '?&&=&',
  ),
)

/** Generates a serialized body, mostly with the shape of the operation. */
function bodyOf(operation: Operation): fc.Arbitrary<string | undefined> {
  const asJson = (value: unknown) => JSON.stringify(value) ?? 'null'
  const shaped = fitting((operation.body ?? {}) as Schema).map(asJson)
  return fc.oneof({ arbitrary: shaped, weight: 6 }, anything.map(asJson), brokenBody, fc.constant(undefined))
}

function paramsOf(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const { properties = {} } = (operation.params ?? {}) as Schema
  return fc.record(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, pathPart(schema)])))
}

describe('malformed and random input', () => {
  it('covers every operation of the contract', async () => {
    expect(operations.length).toBeGreaterThan(20)
    for (const { address } of operations) {
      const { method, path } = splitAddress(address)
      const { body } = await server.request(method, `/api${path.replace(/:\w+/g, bob.id)}`, { as: 'nobody' })
      expect([method, path, body]).not.toEqual([method, path, { detail: 'Not found', code: 'route_not_found' }])
    }
  })

  it.each(operations.map((operation) => [operation.address, operation] as const))(
    '%s never fails by itself',
    async (_name, operation) => {
      // Password hashing is slow on purpose.
      const numRuns = splitAddress(operation.address).path.startsWith('/auth/') ? 25 : 80
      const signedIn = fc.constantFrom('ann', 'nobody', 'forged')
      const call = fc.tuple(paramsOf(operation), query, bodyOf(operation), signedIn)
      await fc.assert(
        fc.asyncProperty(call, async ([params, search, body, who]) => {
          const path = splitAddress(operation.address).path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? 'x')
          const options = {
            ...(body !== undefined && splitAddress(operation.address).method !== 'GET' && { body }),
            ...(who === 'ann' && { as: ann }),
            ...(who === 'forged' && { as: 'eyJhbGciOiJub25lIn0.e30.' }),
          }
          const answer = await server.request(splitAddress(operation.address).method, `/api${path}${search}`, options)
          if (answer.status === 501) expect(notConfigured).toContainEqual(answer.body)
          else expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
          if (answer.status >= 400) expect(Object.keys(answer.body as object)).toEqual(['detail', 'code'])
          if (who !== 'ann' && operation.auth === 'required') expect(answer.status).toBeGreaterThanOrEqual(400)
        }),
        { numRuns },
      )
    },
  )
})

/** The errors of a server without optional services. */
const notConfigured = [
  { detail: 'Google sign-in is not configured', code: 'google_not_configured' },
  { detail: 'Sign-in with a provider is not configured', code: 'oidc_not_configured' },
  { detail: "This server can't send email, so passwords can't be reset", code: 'mail_not_configured' },
]

/** Stored only as a hash. Every other string gets the refusal of an unknown code. */
const hashed = ['code', 'friend_code']

const texts = operations.flatMap((operation) => {
  const { properties = {} } = (operation.body ?? {}) as Schema
  return Object.entries(properties).flatMap(([field, { type, enum: words }]) =>
    [type].flat().includes('string') && !words && !hashed.includes(field) ? [[operation, field] as const] : [],
  )
})

/** Where a rule refuses the texts, it is asked only if the body has the other fields. */
const otherFields: Readonly<Record<string, object>> = {
  '/circles': { name: 'Work', member_ids: [] },
  '/messages/search': { q: 'coffee' },
  '/pings/': { latitude: 1, longitude: 2 },
  '/messages/conversations/': { participant_ids: [] },
  '/pings/:id/guests': { token: 'x'.repeat(43), response_type: 'accepted' },
}

it.each(texts.map(([operation, field]) => [operation.address, field, operation] as const))(
  '%s refuses the NUL character in %s, which PostgreSQL cannot store',
  async (_name, field, operation) => {
    const path = splitAddress(operation.address).path.replace(':kind', 'oidc').replace(/:\w+/g, ann.id)
    const body = { ...otherFields[splitAddress(operation.address).path], [field]: 'a\0b' }
    const answer = await server.request(splitAddress(operation.address).method, `/api${path}`, { body, as: ann })
    const { detail } = answer.body as { detail: { loc: unknown[] }[] }
    expect(answer.status).toBe(422)
    expect(detail.map(({ loc }) => loc.join('.'))).toContain(`body.${field}`)
  },
)
