import { type UserId } from '@hither/contract/ids.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openNode } from '../../test/changes.ts'
import { openTestPool } from '../../test/harness.ts'
import { type Bus, type BusMessage, createLocalBus } from './bus.ts'
import { type Changes } from './changes.ts'
import { type Pool } from './database.ts'
import { type Outbox } from './events/outbox.ts'
import { newId } from './ids.ts'

const ann = newId<UserId>()
const bob = newId<UserId>()
const row = (username: string) => ({ id: ann, username, has_image: false, is_online: false })

let pool: Pool
let closePool: () => Promise<void>
let bus: Bus
let outbox: Outbox
let changes: Changes
let received: BusMessage[]

beforeAll(async () => {
  const opened = await openTestPool()
  pool = opened.db
  closePool = opened.close
  await pool`create table notes (text text primary key)`
})

afterAll(() => closePool())

beforeEach(async () => {
  bus = createLocalBus((error) => {
    throw error
  })
  const node = await openNode(pool, bus)
  outbox = node.outbox
  changes = node.changesAt(() => new Date('2026-03-01T12:00:00Z'))
  received = []
  bus.subscribe((message) => received.push(message))
  onTestFinished(() => outbox.stop())
})

describe('a committed write', () => {
  it('is delivered once it can be read, with the time of the announcement', async () => {
    let readable: Promise<unknown> = Promise.resolve()
    bus.subscribe(() => {
      readable = pool`select text from notes where text = 'committed'`
    })
    const answer = await changes.commit(pool, async (db, announce) => {
      await db`insert into notes values ('committed')`
      announce.insert('users', row('ann'), [ann])
      expect(received).toEqual([])
      return 'answer'
    })
    expect(answer).toBe('answer')
    expect(await readable).toEqual([{ text: 'committed' }])
    expect(received).toEqual([
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

  it('delivers its events in the order of the calls, names each person once, and leaves out an empty audience', async () => {
    await changes.commit(pool, async (_db, announce) => {
      announce.update('users', row('anna'), row('ann'), [ann, bob, ann])
      announce.delete('users', row('anna'), [])
      announce.friendsChanged(ann, bob)
      announce.sessionsEnded([])
      announce.delete('users', row('anna'), [bob])
    })
    expect(received).toMatchObject([
      {
        kind: 'changes',
        changes: [{ type: 'UPDATE', record: row('anna'), oldRecord: row('ann'), audience: [ann, bob] }],
      },
      { kind: 'friends_changed', userIds: [ann, bob] },
      { kind: 'changes', changes: [{ type: 'DELETE', record: null, audience: [bob] }] },
    ])
  })

  it('that only wakes a job writes nothing to the outbox', async () => {
    const before = outbox.position
    await changes.commit(pool, async (_db, announce) => announce.pushesWaiting())
    expect(received).toEqual([{ kind: 'pushes_waiting' }])
    await outbox.catchUp()
    expect(outbox.position).toBe(before)
  })
})

describe('a write whose commit was not answered', () => {
  const lost = Object.assign(new Error('cut'), { code: 'CONNECTION_CLOSED' })

  /** The connection ends as the commit is answered. */
  const poolThatLosesTheAnswer = () =>
    ({
      begin: async (work: (db: never) => Promise<unknown>) => {
        await pool.begin((db) => work(db as never))
        throw lost
      },
    }) as unknown as Pool

  it('is delivered if it committed', async () => {
    const write = changes.commit(poolThatLosesTheAnswer(), async (db, announce) => {
      await db`insert into notes values ('perhaps')`
      announce.insert('users', row('ann'), [ann, bob])
    })
    await expect(write).rejects.toBe(lost)
    await outbox.catchUp()
    expect(await pool`select text from notes where text = 'perhaps'`).toHaveLength(1)
    expect(received).toMatchObject([{ kind: 'changes', changes: [{ audience: [ann, bob] }] }])
  })

  it('is never delivered if it was rolled back', async () => {
    const write = changes.commit(pool, async (_db, announce) => {
      announce.insert('users', row('ann'), [ann, bob])
      throw lost
    })
    await expect(write).rejects.toBe(lost)
    await outbox.catchUp()
    expect(received).toEqual([])
  })
})

describe('a write that is rolled back', () => {
  it('leaves nothing behind and is never delivered', async () => {
    const write = changes.commit(pool, async (db, announce) => {
      await db`insert into notes values ('lost')`
      announce.insert('users', row('ann'), [ann])
      announce.friendsChanged(ann, bob)
      throw new Error('changed our mind')
    })
    await expect(write).rejects.toThrow('changed our mind')
    await outbox.catchUp()
    expect(await pool`select text from notes where text = 'lost'`).toEqual([])
    expect(received).toEqual([])
  })

  it('by the database is not delivered either', async () => {
    const write = changes.commit(pool, async (db, announce) => {
      announce.insert('users', row('ann'), [ann])
      await db`insert into notes values ('twice'), ('twice')`
    })
    await expect(write).rejects.toThrow(/duplicate key/)
    await outbox.catchUp()
    expect(received).toEqual([])
  })
})

describe('the bus', () => {
  it('reaches the other listeners when one of them throws', () => {
    const failures: unknown[] = []
    const other: BusMessage[] = []
    const sound = createLocalBus((error) => failures.push(error))
    sound.subscribe(() => {
      throw new Error('broken')
    })
    sound.subscribe((message) => other.push(message))
    sound.deliver({ kind: 'friends_changed', userIds: [ann, bob] })
    expect(failures).toEqual([new Error('broken')])
    expect(other).toHaveLength(1)
  })

  it('does not call a listener that was removed', () => {
    const stop = bus.subscribe(() => {
      throw new Error('still listening')
    })
    stop()
    expect(() => bus.deliver({ kind: 'friends_changed', userIds: [ann, bob] })).not.toThrow()
  })
})
