import type { Operation } from '@hither/contract/operation.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import { readInstant } from '@hither/contract/values.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../harness.ts'
import { operations } from '../operations.ts'

interface Schema {
  type?: string | string[]
  format?: string
  properties?: Record<string, Schema>
  anyOf?: Schema[]
  items?: Schema
}

let server: TestServer
let ann: Person

beforeAll(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
})

afterAll(() => server.close())

const wrong = [
  ['a year after 9999 in UTC', '9999-12-31T23:59:59-23:59'],
  ['a year before 1 in UTC', '0001-01-01T00:00:00+00:01'],
  ['the year 0', '0000-12-31T23:59:59Z'],
  ['a year of five digits', '10000-01-01T00:00:00Z'],
  ['a year with a sign', '+002026-01-01T00:00:00Z'],
  ['a leap second', '2016-12-31T23:59:60Z'],
  ['an offset without minutes', '2026-11-26T18:00:00+05'],
  ['an offset without colon', '2026-11-26T18:00:00+0530'],
  ['an offset of a day', '2026-11-26T18:00:00+24:00'],
  ['an offset of 60 minutes', '2026-11-26T18:00:00+01:60'],
  ['no offset', '2026-11-26T18:00:00'],
  ['no seconds', '2026-11-26T18:00Z'],
  ['a day that does not exist', '2026-02-29T18:00:00Z'],
  ['a month that does not exist', '2026-13-01T18:00:00Z'],
  ['the hour 24', '2026-11-26T24:00:00Z'],
  ['a name of a time zone', '2026-11-26T18:00:00 GMT'],
  ['a space in place of the T', '2026-11-26 18:00:00Z'],
  ['no number', 'NaN'],
  ['infinity', 'infinity'],
  ['nothing', ''],
  ['a line break', '2026-11-26T18:00:00Z\n'],
] as const

describe('a time of a client', () => {
  it.each(wrong)('is not %s', (_, text) => {
    expect(readInstant(text)).toBeNull()
  })

  it.each([
    ['2026-11-26T18:00:00Z', '2026-11-26T18:00:00.000Z'],
    ['2026-11-26T18:00:00.123456Z', '2026-11-26T18:00:00.123Z'],
    ['2026-11-26T18:00:00+05:30', '2026-11-26T12:30:00.000Z'],
    ['2024-02-29T23:59:59-23:59', '2024-03-01T23:58:59.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00-00:01', '0001-01-01T00:01:00.000Z'],
    ['9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59+00:01', '9999-12-31T23:58:59.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(readInstant(text)?.toISOString()).toBe(expected)
    // What passes the schema is read so everywhere.
    expect(new Date(text).toISOString()).toBe(expected)
  })
})

/** The fields of a schema, each with its path. */
function fieldsOf(schema: Schema | undefined, path: readonly string[] = []): [readonly string[], Schema][] {
  if (!schema) return []
  const nested = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => fieldsOf(field, [...path, name]))
  return [[path, schema], ...nested, ...(schema.anyOf ?? []).flatMap((option) => fieldsOf(option, path))]
}

const isText = ({ type }: Schema) => [type].flat().includes('string')
const inputsOf = ({ params, query, body }: Operation) =>
  ([params, query, body] as (Schema | undefined)[]).flatMap((schema) => fieldsOf(schema))
const times = operations.flatMap((operation) =>
  fieldsOf(operation.body as Schema | undefined)
    .filter(([, { format }]) => format === 'date-time')
    .map(([path]) => ({ operation, path, title: `${operation.address} ${path.join('.')}` })),
)

describe('the contract', () => {
  it('declares every time of a client as one', () => {
    const named = operations.flatMap((operation) =>
      inputsOf(operation)
        .filter(([path, schema]) => isText(schema) && /(_at|_until|_start)$|^(since|until)$/.test(path.at(-1) ?? ''))
        .map(([path, { format }]) => [operation.address, path.join('.'), format]),
    )
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter(([, , format]) => format !== 'date-time')).toEqual([])
  })

  it.each(times)('refuses a wrong time in $title', async ({ operation, path }) => {
    const url = `/api${splitAddress(operation.address).path.replace(/:\w+/g, '0190a0a0-0000-7000-8000-00000000000a')}`
    for (const [, text] of wrong) {
      const body = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), text)
      const answer = await server.request(splitAddress(operation.address).method, url, { body, as: ann })
      const { detail } = answer.body as { detail: { loc: string[] }[] }
      expect([text, answer.status]).toEqual([text, 422])
      expect(detail.map(({ loc }) => loc)).toContainEqual(['body', ...path])
    }
  })
})
