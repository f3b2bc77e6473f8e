import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestPool } from '../../../test/harness.ts'
import type { Db, Pool, Tx } from './database.ts'
import { allowLongWork } from './open-database.ts'
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

const say = (tx: Tx, word: string) => tx`insert into words values (${word})`
const said = async () => (await pool`select word from words order by word`).map((row) => row['word'])

describe('a transaction', () => {
  it('is visible after its commit and returns the result of its callback', async () => {
    const answer = await pool.begin(async (tx) => {
      await Promise.all([say(tx, 'a'), say(tx, 'b'), tx.unsafe('insert into words values ($1)', ['c'])])
      return (await tx`select word from words`).length
    })
    expect([answer, await said()]).toEqual([3, ['a', 'b', 'c']])
  })

  it('is rolled back with all running statements if its callback fails', async () => {
    const failing = pool.begin(async (tx) => {
      say(tx, 'a').catch(() => undefined)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await said()).toEqual([])
  })

  it('fails with the error of its first failed statement', async () => {
    const failing = pool.begin((tx) => Promise.all([say(tx, 'a'), say(tx, 'a'), say(tx, 'b')]))
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect(await said()).toEqual([])
  })

  it('fails if the error of a statement was ignored', async () => {
    const passing = pool.begin(async (tx) => {
      await say(tx, 'a')
      await say(tx, 'a').catch(() => undefined)
    })
    await expect(passing).rejects.toThrow()
    expect(await said()).toEqual([])
  })

  it('is required by functions that write: passing the pool does not compile', () => {
    const read = (db: Db) => db`select word from words`
    const calls = (tx: Tx, db: Db) => [
      say(tx, 'a'),
      read(tx),
      read(pool),
      // @ts-expect-error The pool would take a second connection while the transaction waits.
      say(pool, 'a'),
      // @ts-expect-error What takes a `Db` may have been given the pool.
      say(db, 'a'),
      // @ts-expect-error The same for a function of this folder.
      allowLongWork(pool),
      // @ts-expect-error A transaction begins no other one.
      tx.begin(read),
    ]
    expect(calls).toBeTypeOf('function')
  })

  it('rejects statements after its end', async () => {
    let late: Tx | undefined
    await pool.begin(async (tx) => {
      late = tx
      await say(tx, 'a')
    })
    await expect(say(late as Tx, 'b')).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(await said()).toEqual(['a'])
  })

  it('sends its last statements with the commit, and rejects later ones', async () => {
    let late: Promise<unknown> | undefined
    await pool.begin(async (tx) => {
      await say(tx, 'a')
      sendWithCommit(tx, [say(tx, 'b'), say(tx, 'c')])
      late = Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => new Promise((resolve) => setImmediate(resolve)))
        .then(() => say(tx, 'd'))
      late.catch(() => undefined)
    })
    await expect(late).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
    expect(await said()).toEqual(['a', 'b', 'c'])
  })

  it('fails with the error of the first failed last statement, without affecting others', async () => {
    const many = Array.from({ length: 20 }, (_, n) =>
      pool.begin(async (tx) => {
        // The connection has not prepared some of these statements yet.
        sendWithCommit(tx, [tx`insert into words values (${`w${n}`} || 'x')`, say(tx, 'a'), say(tx, `w${n}`)])
        return n
      }),
    )
    const outcomes = await Promise.allSettled(many)
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(failed.map(({ reason }) => reason.code)).toEqual(Array.from({ length: 19 }, () => '23505'))
    expect(await said()).toHaveLength(3)
  })

  it('runs concurrently with many others, each on its own connection', async () => {
    const words = Array.from({ length: 60 }, (_, n) => `w${n}`)
    await Promise.all(
      words.map((word, n) =>
        pool
          .begin(async (tx) => {
            await Promise.all([say(tx, word), tx`select pg_sleep(0.001)`, tx`select 1`])
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

it('many pipelined statements all run, including ones that are not prepared yet', async () => {
  await pool.begin(async (tx) => {
    await Promise.all(Array.from({ length: 150 }, (_, n) => tx.unsafe(`select ${n}, $1::int`, [n], { prepare: true })))
    await say(tx, 'a')
  })
  expect(await said()).toEqual(['a'])
})
