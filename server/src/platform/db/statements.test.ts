import { beforeAll, describe, expect, it } from 'vitest'
import { openTestPool } from '../../../test/harness.ts'
import type { Db, Pool } from './database.ts'
import { isoTime, literal, sql, statement } from './statements.ts'

let db: Pool

beforeAll(async () => {
  const opened = await openTestPool('empty')
  db = opened.db
  return opened.close
})

describe('a statement', () => {
  const sum = sql`${'a'}::int + ${'b'}::int`
  const both = statement`select ${sum} as once, ${sum} + ${'a'}::int as more`

  it('sends each value once, even if it is used several times', async () => {
    let sent: unknown[] = []
    const unsafe = (...all: unknown[]) => {
      sent = all
      return []
    }
    await both({ unsafe } as unknown as Db, { a: 1, b: 2 })
    expect(sent.slice(0, 2)).toEqual(['select $1::int + $2::int as once, $1::int + $2::int + $1::int as more', [1, 2]])
    expect(await both(db, { a: 1, b: 2 })).toEqual([{ once: 3, more: 4 }])
  })

  it('never interprets values as SQL and inserts literals unchanged', async () => {
    const said = statement`select ${'said'}::text as said, ${literal("it's $1")} as own`
    expect(await said(db, { said: "'; drop table users; --" })).toEqual([
      { said: "'; drop table users; --", own: "it's $1" },
    ])
  })

  it('can have no values', async () => {
    expect(await statement`select 1 as one`(db, {})).toEqual([{ one: 1 }])
  })
})

describe('a time has the same format', () => {
  const times = [
    '2026-11-21T15:43:42.123Z',
    '2026-11-21T15:43:42.120Z',
    '2026-11-21T15:43:42.100Z',
    '2026-11-21T00:00:00.000Z',
    '0999-01-01T00:00:00.007Z',
  ]
  const asked = statement`select t, json_build_object('t', ${isoTime(sql`t`)}) as inside from unnest(${'times'}::timestamptz[]) t`

  it('inside and outside of JSON', async () => {
    expect(await asked(db, { times })).toEqual(times.map((t) => ({ t, inside: { t } })))
  })

  it('if it is infinite, ancient or has no fraction', async () => {
    const unusual = ['10000-01-01 00:00:00.1+00', '2026-11-21 15:43:42.123999+00', '2026-11-21 15:43:42.5+02']
    expect((await asked(db, { times: unusual })).map((row) => row['t'])).toEqual([
      '+010000-01-01T00:00:00.100Z',
      '2026-11-21T15:43:42.123Z',
      '2026-11-21T13:43:42.500Z',
    ])
    await expect(db`select 'infinity'::timestamptz`).rejects.toThrow(RangeError)
  })
})
