import { type UserId } from '@hither/contract/ids.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openTestPool } from '../../test/harness.ts'
import { type Bus, type BusMessage, createLocalBus } from './bus.ts'
import { type Changes, createChanges } from './changes.ts'
import { type Pool } from './database.ts'
import { newId } from './ids.ts'
import { createLocalTurns } from './turns.ts'

const ann = newId<UserId>()
const bob = newId<UserId>()
const row = (username: string) => ({ id: ann, username, has_image: false, is_online: false })

let database: { readonly pool: Pool; close(): Promise<void> }
let bus: Bus
let changes: Changes
let heard: BusMessage[]

beforeAll(async () => {
  const { db, close } = await openTestPool('empty')
  database = { pool: db, close }
  await database.pool`create table notes (text text primary key)`
})

afterAll(() => database.close())

beforeEach(() => {
  heard = []
  bus = createLocalBus((error) => {
    throw error
  })
  onTestFinished(bus.subscribe((message) => heard.push(message)) as () => void)
  changes = createChanges(bus, createLocalTurns(), () => new Date('2026-03-01T12:00:00Z'))
})

describe('a committed write', () => {
  it('is announced once it can be read, with the time of the announcement', async () => {
    let readable: Promise<unknown> = Promise.resolve()
    bus.subscribe(() => {
      readable = database.pool`select text from notes where text = 'kept'`
    })
    const answer = await changes.commit(database.pool, async (db, announce) => {
      await db`insert into notes values ('kept')`
      announce.insert('users', row('ann'), [ann])
      expect(heard).toEqual([])
      return 'answer'
    })
    expect(answer).toBe('answer')
    expect(await readable).toEqual([{ text: 'kept' }])
    expect(heard).toEqual([
      {
        kind: 'changes',
        changes: [
          {
            table: 'users',
            type: 'INSERT',
            record: row('ann'),
            oldRecord: null,
            audience: [ann],
            committedAt: '2026-03-01T12:00:00.000000Z',
          },
        ],
      },
    ])
  })

  it('is announced in the order in which it was said, each person once, and nobody means nothing', async () => {
    await changes.commit(database.pool, async (_db, announce) => {
      announce.update('users', row('anna'), row('ann'), [ann, bob, ann])
      announce.delete('users', row('anna'), [])
      announce.friendsChanged(ann, bob)
      announce.sessionsEnded([])
      announce.delete('users', row('anna'), [bob])
    })
    expect(heard).toMatchObject([
      {
        kind: 'changes',
        changes: [{ type: 'UPDATE', record: row('anna'), oldRecord: row('ann'), audience: [ann, bob] }],
      },
      { kind: 'friends_changed', userIds: [ann, bob] },
      { kind: 'changes', changes: [{ type: 'DELETE', record: null, audience: [bob] }] },
    ])
  })
})

describe('a write whose outcome was lost on its way', () => {
  const lost = Object.assign(new Error('cut'), { code: 'CONNECTION_CLOSED' })

  /** The connection ends as the commit is answered, or, where it does not come to that, as it is asked for. */
  const poolThatLoses = (isCommitted: boolean) =>
    ({
      begin: (work: (db: never) => Promise<unknown>) =>
        database.pool
          .begin(async (db) => {
            await work(db as never)
            if (!isCommitted) throw lost
          })
          .then(() => {
            throw lost
          }),
    }) as unknown as Pool

  it.each([true, false])('has its audience ask, whether it came to pass (%s) or not', async (isCommitted) => {
    const text = `perhaps ${isCommitted}`
    const write = changes.commit(poolThatLoses(isCommitted), async (db, announce) => {
      await db`insert into notes values (${text})`
      announce.insert('users', row('ann'), [ann, bob])
    })
    await expect(write).rejects.toBe(lost)
    expect(await database.pool`select text from notes where text = ${text}`).toHaveLength(isCommitted ? 1 : 0)
    expect(heard).toEqual([{ kind: 'missed', userIds: [ann, bob] }])
  })

  it('before it was to be committed is known to have come to nothing', async () => {
    const write = changes.commit(database.pool, async (_db, announce) => {
      announce.insert('users', row('ann'), [ann, bob])
      throw lost
    })
    await expect(write).rejects.toBe(lost)
    expect(heard).toEqual([])
  })
})

describe('a write that is rolled back', () => {
  it('leaves nothing behind and is never announced', async () => {
    const write = changes.commit(database.pool, async (db, announce) => {
      await db`insert into notes values ('lost')`
      announce.insert('users', row('ann'), [ann])
      announce.friendsChanged(ann, bob)
      throw new Error('changed our mind')
    })
    await expect(write).rejects.toThrow('changed our mind')
    expect(await database.pool`select text from notes where text = 'lost'`).toEqual([])
    expect(heard).toEqual([])
  })

  it('by the database itself is not announced either', async () => {
    const write = changes.commit(database.pool, async (db, announce) => {
      announce.insert('users', row('ann'), [ann])
      await db`insert into notes values ('twice'), ('twice')`
    })
    await expect(write).rejects.toThrow(/duplicate key/)
    expect(heard).toEqual([])
  })
})

describe('the bus', () => {
  it('reaches the other listeners when one of them fails', () => {
    const failures: unknown[] = []
    const other: BusMessage[] = []
    const sound = createLocalBus((error) => failures.push(error))
    sound.subscribe(() => {
      throw new Error('broken')
    })
    sound.subscribe((message) => other.push(message))
    sound.publish({ kind: 'friends_changed', userIds: [ann, bob] })
    expect(failures).toEqual([new Error('broken')])
    expect(other).toHaveLength(1)
  })

  it('is silent for who has stopped listening', () => {
    const stop = bus.subscribe(() => {
      throw new Error('still listening')
    })
    stop()
    expect(() => bus.publish({ kind: 'friends_changed', userIds: [ann, bob] })).not.toThrow()
  })
})
