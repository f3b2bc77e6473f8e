import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { type FaultyProxy, openFaultyProxy } from '../../../test/faulty-proxy.ts'
import { isDependencyUnavailable } from '../errors/dependency-errors.ts'
import type { Db } from './database.ts'
import { allowLongWork, type Database, openDatabase } from './open-database.ts'

const lost = { code: 'CONNECTION_CLOSED' }
const connections = 8

describe('a pool of connections', () => {
  const name = `pool_${randomUUID().replaceAll('-', '')}`
  let admin: postgres.Sql
  let line: FaultyProxy
  let database: Database

  beforeAll(async () => {
    const url = new URL(inject('postgresUrl') ?? '')
    const maker = postgres(`${url.href}/postgres`, { max: 1, onnotice: () => undefined })
    await maker.unsafe(`create database ${name}`)
    await maker.end()
    admin = postgres(`${url.href}/${name}`, { max: 1 })
    await admin`create table notes (text text primary key)`
    line = await openFaultyProxy(Number(url.port))
  })

  beforeEach(async () => {
    await admin`truncate notes`
    const { username } = new URL(inject('postgresUrl') ?? '')
    database = await openDatabase({ url: `postgres://${username}@127.0.0.1:${line.port}/${name}` })
  })

  afterEach(() => database.close())

  afterAll(async () => {
    await line.close()
    await admin.end()
  })

  const notes = async () => (await admin`select text from notes order by text`).map((row) => row['text'])
  const open = () => admin`select 1 from pg_stat_activity where datname = ${name} and state = 'idle in transaction'`
  const insert = (db: Db, text: string) => db`insert into notes values (${text})`

  /** In order, what happened; a promise is an event once it has settled. */
  function createJournal() {
    const events: string[] = []
    return {
      events,
      watch: (event: string, promise: Promise<unknown>) =>
        promise.catch(() => undefined).then(() => events.push(event)),
    }
  }

  it('stores the code of errors by which PostgreSQL reports damaged data, and of no others', async () => {
    const { pool } = database
    const raise = (code: string) => pool.unsafe(`do $$ begin raise exception using errcode = '${code}'; end $$`)
    await expect(raise('22012')).rejects.toMatchObject({ code: '22012' })
    expect(pool.damage()).toBeNull()
    await expect(pool.begin((tx) => tx.unsafe(`do $$ begin raise index_corrupted; end $$`))).rejects.toThrow()
    expect(pool.damage()).toBe('XX002')
  })

  it.each([
    ['goes on', lost],
    ['fails', { message: 'by itself' }],
  ])(
    'saves nothing of a transaction whose connection breaks while its work %s, and touches no other',
    async (how, error) => {
      const { pool } = database
      const [begun, cut, tried] = [1, 2, 3].map(() => Promise.withResolvers<void>()) as [Step, Step, Step]
      const journal = createJournal()
      let later: unknown
      const first = pool.begin(async (tx) => {
        await insert(tx, 'before')
        begun.resolve()
        await cut.promise
        later = await insert(tx, 'after').catch((reason) => reason)
        journal.events.push('work ended')
        tried.resolve()
        if (how === 'fails') throw new Error('by itself')
      })
      journal.watch('transaction ended', first)
      await begun.promise
      line.cut()
      let inside = 0
      // The pool allows this many connections: one of these replaces the broken one while the work of `first` still waits.
      const others = Array.from({ length: connections }, (_unused, index) =>
        pool.begin(async (tx) => {
          await insert(tx, `other ${index}`)
          if (++inside === connections) cut.resolve()
          await tried.promise
          await first.catch(() => undefined)
          await insert(tx, `others ${index}`)
        }),
      )
      await Promise.all(others)
      await expect(first).rejects.toMatchObject(error)
      expect(later).toMatchObject(lost)
      expect(journal.events).toEqual(['work ended', 'transaction ended'])
      expect((await notes()).filter((text) => !text.startsWith('other'))).toEqual([])
      expect(await notes()).toHaveLength(2 * connections)
    },
  )

  it.each(['fails with it', 'goes on'])(
    'rejects a transaction that is cut off in the middle of a statement whose work %s',
    async (how) => {
      const { pool } = database
      for (let round = 0; round < 5; round++) {
        const begun = Array.from({ length: 6 }, () => Promise.withResolvers<void>())
        const inserted = Array.from({ length: 6 }, () => Promise.withResolvers<void>())
        const running = begun.map(({ resolve }, index) =>
          pool.begin(async (tx) => {
            await tx`insert into notes values (gen_random_uuid()::text)`
            inserted[index]?.resolve()
            // Otherwise the sleep of one could end before the last one has a connection.
            await Promise.all(inserted.map(({ promise }) => promise))
            const query = tx`select pg_sleep(0.5)`.execute()
            resolve()
            if (how === 'goes on') await query.catch(() => undefined)
            else await query
          }),
        )
        await Promise.all(begun.map(({ promise }) => promise))
        line.cut()
        const ends = Promise.allSettled(running)
        await Promise.race(running).catch(() => undefined)
        const next = pool.begin(async (tx) => {
          await insert(tx, `kept ${round}`)
          await tx`select pg_sleep(0.05)`
        })
        for (const end of await ends) expect(end).toMatchObject({ status: 'rejected', reason: lost })
        await next
      }
      await expect.poll(notes).toEqual(['kept 0', 'kept 1', 'kept 2', 'kept 3', 'kept 4'])
    },
  )

  it('rejects statements and connections that wait for a silent server, and works when it responds again', async () => {
    const { pool } = database
    const silenced = Promise.withResolvers<void>()
    const inside = Array.from({ length: connections }, (_, index) =>
      pool.begin(async (tx) => {
        await insert(tx, `inside ${index}`)
        await silenced.promise
        await tx`select 1`
      }),
    )
    await expect.poll(async () => (await open()).length).toBe(connections)
    line.set('silent')
    silenced.resolve()
    const waiting = Array.from({ length: 20 }, () => pool`select 1`)
    for (const outcome of await Promise.allSettled([...inside, ...waiting])) {
      expect(outcome).toMatchObject({ status: 'rejected' })
      expect(isDependencyUnavailable((outcome as PromiseRejectedResult).reason)).toBe(true)
    }
    line.set('open')
    await pool.begin((tx) => insert(tx, 'after'))
    await expect.poll(notes).toEqual(['after'])
  })

  it('aborts a transaction that is idle because it waits for something other than the database', async () => {
    const { pool } = database
    const stopped = Promise.withResolvers<void>()
    const idle = pool.begin(async (tx) => {
      await insert(tx, 'idle')
      await stopped.promise
    })
    await expect.poll(async () => (await open()).length).toBe(1)
    await expect.poll(async () => (await open()).length, { timeout: 15_000 }).toBe(0)
    stopped.resolve()
    await expect(idle).rejects.toMatchObject(lost)
    expect(await notes()).toEqual([])
  })

  it('cancels a statement that exceeds the time limit with an error that allows a retry', async () => {
    const { pool } = database
    expect(await pool`show statement_timeout`).toEqual([{ statement_timeout: '30s' }])
    const error = await pool
      .begin(async (tx) => {
        await tx`set local statement_timeout = 50`
        await tx`select pg_sleep(10)`
      })
      .catch((reason) => reason)
    expect(error).toMatchObject({ code: '57014' })
    expect(isDependencyUnavailable(error)).toBe(true)
  })

  it('allows long work for the transaction that requests it, and for no later one on its connection', async () => {
    const { pool } = database
    const limits = (db: Db) => db`
      select current_setting('statement_timeout') as statement, current_setting('application_name') as name,
        current_setting('idle_in_transaction_session_timeout') as idle`
    const long = await pool.begin(async (tx) => {
      await allowLongWork(tx)
      return await limits(tx)
    })
    expect(long).toEqual([{ statement: '0', idle: '0', name: 'hither' }])
    const others = await Promise.all(Array.from({ length: 20 }, () => limits(pool)))
    expect(new Set(others.map(([row]) => JSON.stringify(row)))).toEqual(
      new Set([JSON.stringify({ statement: '30s', name: 'hither', idle: '10s' })]),
    )
  })

  it('runs statements that were prepared before the schema changed', async () => {
    const { pool } = database
    const all = (db: Db) => db`select * from notes`
    await insert(pool, 'a')
    expect(await pool.begin(all)).toEqual([{ text: 'a' }])
    await admin`alter table notes add column size int`
    const inside = await pool.begin(all).catch((reason) => reason)
    expect(isDependencyUnavailable(inside)).toBe(true)
    expect(await pool.begin(all)).toEqual([{ text: 'a', size: null }])
    await admin`alter table notes drop column size`
    expect(await all(pool)).toEqual([{ text: 'a' }])
    expect(await all(pool)).toEqual([{ text: 'a' }])
  })

  it('closes and aborts running statements', async () => {
    const own = await openDatabase({ url: `${inject('postgresUrl')}/${name}` })
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
    const { promise: isClosing, resolve: release } = Promise.withResolvers<void>()
    const locking = database.pool.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(7)`
      locked()
      await isClosing
    })
    await isLocked
    const running = own.pool.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(7)`
      await insert(tx, 'ended')
    })
    await expect
      .poll(async () => {
        const waiting = await admin`
          select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`
        return waiting.length
      })
      .toBe(1)
    const closed = Promise.all([own.close(), own.close()])
    release()
    await Promise.all([closed, locking, running])
    expect(await notes()).toEqual(['ended'])
    await expect(own.pool`select 1`).rejects.toSatisfy(isDependencyUnavailable)
  })
})

type Step = PromiseWithResolvers<void>
