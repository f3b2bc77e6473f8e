import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { type FaultLine, openFaultLine } from '../../test/fault-line.ts'
import { type Database, openDatabase } from './database.ts'

const lost = { code: 'CONNECTION_CLOSED' }

describe('a transaction that is cut off', () => {
  const name = `cut_${randomUUID().replaceAll('-', '')}`
  let admin: postgres.Sql
  let line: FaultLine
  let database: Database

  beforeAll(async () => {
    const url = new URL(inject('postgresUrl') ?? '')
    const maker = postgres(`${url.href}/postgres`, { max: 1, onnotice: () => undefined })
    await maker.unsafe(`create database ${name}`)
    await maker.end()
    admin = postgres(`${url.href}/${name}`, { max: 1 })
    await admin`create table notes (text text primary key)`
    line = await openFaultLine(Number(url.port))
    database = await openDatabase({ url: `postgres://${url.username}@127.0.0.1:${line.port}/${name}` })
  })

  beforeEach(() => admin`truncate notes`)

  afterAll(async () => {
    await database.close()
    await line.close()
    await admin.end()
  })

  const notes = async () => (await admin`select text from notes order by text`).map((row) => row['text'])

  it.each([
    ['goes on', async () => 'done'],
    [
      'fails',
      async () => {
        throw new Error('by itself')
      },
    ],
  ])('comes to nothing though its work %s, and spoils nobody else’s', async (_, end) => {
    const { pool } = database
    const [begun, cut, over] = [1, 2, 3].map(() => Promise.withResolvers<void>()) as [Step, Step, Step]
    let later: unknown
    const first = pool.begin(async (db) => {
      await db`insert into notes values ('before')`
      begun.resolve()
      await cut.promise
      try {
        later = await db`insert into notes values ('after')`
      } catch (error) {
        later = error
      }
      over.resolve()
      return end()
    })
    await begun.promise
    line.cut()
    await expect(first).rejects.toMatchObject(lost)
    // As many as there can be, so that one would have the connection if it were given to somebody.
    const others = Array.from({ length: 8 }, (_unused, index) =>
      pool.begin(async (db) => {
        await db`insert into notes values (${`other ${index}`})`
        cut.resolve()
        await over.promise
        // What the first would still say is said by then.
        await db`select pg_sleep(0.2)`
        await db`insert into notes values (${`others ${index}`})`
      }),
    )
    await Promise.all(others)
    expect(later).toMatchObject(lost)
    expect((await notes()).filter((text) => !text.startsWith('other'))).toEqual([])
    expect(await notes()).toHaveLength(16)
  })
  it.each(['fails with it', 'goes on'])('in the middle of a query comes to nothing, and its work %s', async (how) => {
    const { pool } = database
    for (let round = 0; round < 5; round++) {
      const begun = Array.from({ length: 6 }, () => Promise.withResolvers<void>())
      const running = begun.map(({ resolve }) =>
        pool.begin(async (db) => {
          await db`insert into notes values (gen_random_uuid()::text)`
          const query = db`select pg_sleep(0.5)`.execute()
          resolve()
          if (how === 'goes on') await query.catch(() => undefined)
          else await query
        }),
      )
      await Promise.all(begun.map(({ promise }) => promise))
      line.cut()
      const ends = Promise.allSettled(running)
      await Promise.race(running).catch(() => undefined)
      const next = pool.begin(async (db) => {
        await db`insert into notes values (${`kept ${round}`})`
        await db`select pg_sleep(0.05)`
      })
      for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: lost })
      await next
    }
    await expect.poll(notes).toEqual(['kept 0', 'kept 1', 'kept 2', 'kept 3', 'kept 4'])
  })
})

type Step = PromiseWithResolvers<void>
