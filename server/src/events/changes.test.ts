import type { UserId } from '@hither/contract/ids.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openNode } from '../../test/changes.ts'
import { openTestPool } from '../../test/harness.ts'
import { feeds } from '../feeds/feeds.ts'
import type { Pool } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { type Bus, type BusMessage, createLocalBus } from './bus.ts'
import type { Changes } from './changes.ts'
import { limitAudience } from './feed-declaration.ts'
import type { Outbox } from './outbox.ts'

const ann = newId<UserId>()
const bob = newId<UserId>()
const row = (username: string) => ({ id: ann, username, display_name: null, has_image: false, is_online: false })

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

const audience = (id: UserId, ...friendIds: UserId[]) => feeds.users.audience({ id, friendIds })

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
  it('is delivered after it is visible to reads, with its position', async () => {
    let readable: Promise<unknown> = Promise.resolve()
    bus.subscribe(() => {
      readable = pool`select text from notes where text = 'committed'`
    })
    const answer = await changes.commit(pool, async (tx, announce) => {
      await tx`insert into notes values ('committed')`
      announce.insert('users', row('ann'), audience(ann))
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
            committedAt: expect.stringMatching(/\.\d{9}Z$/),
          },
        ],
      },
    ])
  })

  it('delivers its events in the order of the calls, each to distinct users, and none to an empty audience', async () => {
    await changes.commit(pool, async (_db, announce) => {
      announce.update('users', row('anna'), row('ann'), audience(ann, bob, ann))
      announce.delete('users', row('anna'), limitAudience(audience(ann), []))
      announce.friendsChanged(ann, bob)
      announce.sessionsEnded([])
      announce.delete('users', row('anna'), audience(bob))
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

  it('that only wakes a job is not written to the outbox', async () => {
    const before = outbox.position
    await changes.commit(pool, async (_db, announce) => announce.pushesWaiting())
    expect(received).toEqual([{ kind: 'pushes_waiting' }])
    await outbox.catchUp()
    expect(outbox.position).toBe(before)
  })
})

describe('a write whose commit got no response', () => {
  const lost = Object.assign(new Error('cut'), { code: 'CONNECTION_CLOSED' })

  /** The connection ends as the commit is answered. */
  const poolThatLosesTheAnswer = () =>
    ({
      begin: async (work: (db: never) => Promise<unknown>) => {
        await pool.begin((tx) => work(tx as never))
        throw lost
      },
    }) as unknown as Pool

  it('is delivered if it committed', async () => {
    const write = changes.commit(poolThatLosesTheAnswer(), async (tx, announce) => {
      await tx`insert into notes values ('perhaps')`
      announce.insert('users', row('ann'), audience(ann, bob))
    })
    await expect(write).rejects.toBe(lost)
    await outbox.catchUp()
    expect(await pool`select text from notes where text = 'perhaps'`).toHaveLength(1)
    expect(received).toMatchObject([{ kind: 'changes', changes: [{ audience: [ann, bob] }] }])
  })

  it('is never delivered if it was rolled back', async () => {
    const write = changes.commit(pool, async (_db, announce) => {
      announce.insert('users', row('ann'), audience(ann, bob))
      throw lost
    })
    await expect(write).rejects.toBe(lost)
    await outbox.catchUp()
    expect(received).toEqual([])
  })
})

describe('a write that is rolled back', () => {
  it('stores nothing and is never delivered', async () => {
    const write = changes.commit(pool, async (tx, announce) => {
      await tx`insert into notes values ('lost')`
      announce.insert('users', row('ann'), audience(ann))
      announce.friendsChanged(ann, bob)
      throw new Error('changed our mind')
    })
    await expect(write).rejects.toThrow('changed our mind')
    await outbox.catchUp()
    expect(await pool`select text from notes where text = 'lost'`).toEqual([])
    expect(received).toEqual([])
  })

  it('by a database error is not delivered either', async () => {
    const write = changes.commit(pool, async (tx, announce) => {
      announce.insert('users', row('ann'), audience(ann))
      await tx`insert into notes values ('twice'), ('twice')`
    })
    await expect(write).rejects.toThrow(/duplicate key/)
    await outbox.catchUp()
    expect(received).toEqual([])
  })
})

describe('the bus', () => {
  it('calls all other listeners if one throws', () => {
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
