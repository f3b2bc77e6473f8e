import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestPool } from '../../test/harness.ts'
import { type Db, type Pool } from './database.ts'
import { sendWithCommit } from './transactions.ts'

let pool: Pool

beforeAll(async () => {
  const opened = await openTestPool('empty')
  pool = opened.db
  await pool`create table words (word text primary key)`
  return opened.close
})

beforeEach(async () => {
  await pool`delete from words`
})

const say = (db: Db, word: string) => db`insert into words values (${word})`
const said = async () => (await pool`select word from words order by word`).map((row) => row['word'])

describe('a transaction', () => {
  it('stands once it is done, and answers what its work did', async () => {
    const answer = await pool.begin(async (db) => {
      await Promise.all([say(db, 'a'), say(db, 'b'), db.unsafe('insert into words values ($1)', ['c'])])
      return (await db`select word from words`).length
    })
    expect([answer, await said()]).toEqual([3, ['a', 'b', 'c']])
  })

  it('leaves nothing where its work fails, whatever is still under way', async () => {
    const failing = pool.begin(async (db) => {
      say(db, 'a').catch(() => undefined)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await said()).toEqual([])
  })

  it('fails with the first of its statements that do', async () => {
    const failing = pool.begin((db) => Promise.all([say(db, 'a'), say(db, 'a'), say(db, 'b')]))
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect(await said()).toEqual([])
  })

  it('is not taken for done where the error of a statement was passed over', async () => {
    const passing = pool.begin(async (db) => {
      await say(db, 'a')
      await say(db, 'a').catch(() => undefined)
    })
    await expect(passing).rejects.toThrow()
    expect(await said()).toEqual([])
  })

  it('takes nothing more once it is over', async () => {
    let late: Db | undefined
    await pool.begin(async (db) => {
      late = db
      await say(db, 'a')
    })
    await expect(say(late as Db, 'b')).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(await said()).toEqual(['a'])
  })

  it('takes its last statements with the commit, and nothing after them', async () => {
    let late: Promise<unknown> | undefined
    await pool.begin(async (db) => {
      await say(db, 'a')
      sendWithCommit(db, [say(db, 'b'), say(db, 'c')])
      late = Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => new Promise((resolve) => setImmediate(resolve)))
        .then(() => say(db, 'd'))
      late.catch(() => undefined)
    })
    await expect(late).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(await said()).toEqual(['a', 'b', 'c'])
  })

  it('fails with the first of its last statements that does, and others go on', async () => {
    const many = Array.from({ length: 20 }, (_, n) =>
      pool.begin(async (db) => {
        // Also such as the connection does not know yet.
        sendWithCommit(db, [db`insert into words values (${`w${n}`} || 'x')`, say(db, 'a'), say(db, `w${n}`)])
        return n
      }),
    )
    const outcomes = await Promise.allSettled(many)
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(failed.map(({ reason }) => reason.code)).toEqual(Array.from({ length: 19 }, () => '23505'))
    expect(await said()).toHaveLength(3)
  })

  it('runs beside many others, each on its own', async () => {
    const words = Array.from({ length: 60 }, (_, n) => `w${n}`)
    await Promise.all(
      words.map((word, n) =>
        pool
          .begin(async (db) => {
            await Promise.all([say(db, word), db`select pg_sleep(0.001)`, db`select 1`])
            if (n % 3 === 0) throw new Error('no')
          })
          .catch(() => undefined),
      ),
    )
    const others = await Promise.all(words.map(() => pool`select 1 as one`))
    expect(others.length).toBe(60)
    expect(await said()).toEqual(words.filter((_, n) => n % 3 !== 0).sort())
  })
})

it('many statements in one go all run, those the database does not know yet among them', async () => {
  await pool.begin(async (db) => {
    await Promise.all(Array.from({ length: 150 }, (_, n) => db.unsafe(`select ${n}, $1::int`, [n], { prepare: true })))
    await say(db, 'a')
  })
  expect(await said()).toEqual(['a'])
})
