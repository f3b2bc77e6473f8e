import { expect, it } from 'vitest'
import { openTestPool } from '../../../test/harness.ts'

it('values of each type are read in one format, also in arrays, and may be null', async () => {
  const { db, close } = await openTestPool('empty')
  const values: [sql: string, one: unknown][] = [
    ["'t'::text", 't'],
    ['true', true],
    ['false', false],
    ['1::smallint', 1],
    ['2::int', 2],
    ['9007199254740993::bigint', '9007199254740993'],
    ['1.50::numeric', '1.50'],
    ['1.5::real', 1.5],
    ['2.5::double precision', 2.5],
    [`'{"a": [1, null]}'::json`, { a: [1, null] }],
    [`'{"a": "ü\\"}"}'::jsonb`, { a: 'ü"}' }],
    ["'\\x00ff'::bytea", Buffer.from([0, 255])],
    ["'2026-11-21 15:43:42.12+00'::timestamptz", '2026-11-21T15:43:42.120Z'],
    ["'b5d3b6c8-5f0a-4c53-9d0e-1f3d4a5b6c7d'::uuid", 'b5d3b6c8-5f0a-4c53-9d0e-1f3d4a5b6c7d'],
    ["'a name'::name", 'a name'],
  ]
  try {
    for (const [sql, value] of values) {
      const [row] = await db.unsafe(
        `select ${sql} as one, array[${sql}, null] as many, nullif(${sql}::text, ${sql}::text) as no`,
      )
      expect({ sql, ...row }).toEqual({ sql, one: value, many: [value, null], no: null })
    }
  } finally {
    await close()
  }
})

it('values are bound as parameters, whatever they contain, and parts of a statement can be combined', async () => {
  const { db, close } = await openTestPool('empty')
  try {
    const text = `'; drop table "x"; -- $1 \\ {a,b} "c" null NULL`
    const at = new Date('2026-11-21T15:43:42.123Z')
    const part = db`${text}::text as text, ${[text, 'null', '']}::text[] as list`
    const [row] = await db`
      select ${part}, ${at}::timestamptz as at, ${[at]}::timestamptz[] as times, ${null}::text as nothing,
        ${Buffer.from('ü')}::bytea as bytes, ${true}::boolean as yes, ${[1, 2]}::int[] as numbers, ${12n}::bigint as big`
    expect(row).toEqual({
      text,
      list: [text, 'null', ''],
      at: at.toISOString(),
      times: [at.toISOString()],
      nothing: null,
      bytes: Buffer.from('ü'),
      yes: true,
      numbers: [1, 2],
      big: '12',
    })
    expect(await db`select 1 as ${db('a "name"')}`).toEqual([{ 'a "name"': 1 }])
    await expect(db`select ${undefined as never}::text`).rejects.toThrow(TypeError)
    expect((await db`select 1 union all select 2`).count).toBe(2)
  } finally {
    await close()
  }
})
