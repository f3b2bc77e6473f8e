import type { UserId } from '@hither/contract/ids.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openTestPool } from '../../test/harness.ts'
import type { Pool } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { sendWithCommit } from '../platform/db/transactions.ts'
import { type BusMessage, createLocalBus } from './bus.ts'
import { deleteOlderThan } from './outbox.queries.ts'
import { type Appending, type Outbox, type OutboxPeers, openOutbox, outboxLimits } from './outbox.ts'
import { createRecentEvents } from './recent-events.ts'

const silent = pino({ level: 'silent' })
const [ann, bob] = [newId<UserId>(), newId<UserId>()]

let pool: Pool
let closePool: () => Promise<void>

beforeAll(async () => {
  const opened = await openTestPool()
  pool = opened.db
  closePool = opened.close
})

afterAll(() => closePool())

/** A node: its outbox, and the ended sessions that it received, by which these tests recognize an event. */
async function openNode(peers: OutboxPeers | null = null) {
  const received: string[] = []
  const bus = createLocalBus((error) => {
    throw error
  })
  let wake = () => {}
  bus.subscribe((message: BusMessage) => {
    if (message.kind === 'sessions_ended') received.push(...message.sessionIds)
    else received.push(message.kind)
    wake()
  })
  const recent = createRecentEvents()
  const outbox = await openOutbox({ pool, bus, peers, log: silent, recent }, 0)
  onTestFinished(() => outbox.stop())
  const until = async (last: string) => {
    while (received.at(-1) !== last)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  return { outbox, recent, received, until }
}

const named = (name: string) => [{ kind: 'sessions_ended' as const, sessionIds: [name as never] }]

async function write(outbox: Outbox, name: string): Promise<void> {
  let appending: Appending | null = null
  await pool.begin(async (tx) => {
    appending = outbox.append(tx, named(name))
    sendWithCommit(tx, [appending.query])
  })
  if (appending) await outbox.committed(appending)
}

/** A transaction that has written its row, and commits or rolls back on request. */
async function openWrite(outbox: Outbox, name: string) {
  const { promise: decided, resolve: commit, reject: rollBack } = Promise.withResolvers<void>()
  const { promise: written, resolve } = Promise.withResolvers<void>()
  const ended = pool.begin(async (tx) => {
    await outbox.append(tx, named(name)).query
    resolve()
    await decided
  })
  ended.catch(() => undefined)
  await written
  return {
    async commit() {
      commit()
      await ended
    },
    async rollBack() {
      rollBack(new Error('rolled back'))
      await ended.catch(() => undefined)
    },
  }
}

describe('the outbox', () => {
  it('delivers changes of this node before `commit` resolves', async () => {
    const { outbox, received } = await openNode()
    await write(outbox, 'one')
    await write(outbox, 'two')
    expect(received).toEqual(['one', 'two'])
  })

  it('delivers changes of another node once and in order, also without a wake-up', async () => {
    const [here, there] = [await openNode(), await openNode()]
    const names = Array.from({ length: 60 }, (_, index) => `event ${index}`)
    await Promise.all(names.map((name, index) => write((index % 2 === 0 ? here : there).outbox, name)))
    await Promise.all([here.outbox.catchUp(), there.outbox.catchUp()])
    expect([...here.received].sort()).toEqual([...names].sort())
    expect(there.received).toEqual(here.received)
    await write(there.outbox, 'last')
    await here.until('last')
  })

  it('delays events that follow an event whose transaction is still being committed', async () => {
    const { outbox, received, until } = await openNode()
    const first = await openWrite(outbox, 'first')
    await write(outbox, 'second')
    expect(received).toEqual([])
    await first.commit()
    await until('second')
    expect(received).toEqual(['first', 'second'])
  })

  it('skips an event whose transaction was rolled back, even while other transactions run', async () => {
    const { outbox, received, until } = await openNode()
    const abandoned = await openWrite(outbox, 'abandoned')
    await write(outbox, 'second')
    await abandoned.rollBack()
    await until('second')
    const running = await openWrite(outbox, 'running')
    const rolledBack = await openWrite(outbox, 'rolled back')
    await rolledBack.rollBack()
    await write(outbox, 'third')
    expect(received).toEqual(['second'])
    await running.commit()
    await until('third')
    expect(received).toEqual(['second', 'running', 'third'])
  })

  it('delivers to a starting node the changes that were committed during its start', async () => {
    const { outbox } = await openNode()
    const during = await openWrite(outbox, 'during')
    const started = await openNode()
    await during.commit()
    await started.outbox.catchUp()
    expect(started.received).toEqual(['during'])
  })

  it('asks clients to resync if rows were deleted before this node read them', async () => {
    const { outbox: other } = await openNode()
    let isConnected = true
    const { outbox, received } = await openNode({ wake() {}, onWake() {}, isConnected: () => isConnected })
    await write(other, 'lost')
    expect(await deleteOlderThan(pool, 0, outboxLimits.deleteBatch)).toBeGreaterThan(0)
    await write(other, 'afterwards')
    await outbox.catchUp()
    expect(received).toEqual(['gap', 'afterwards'])
    isConnected = false
  })

  it('continues where it stopped after the database was unavailable', async () => {
    const { outbox: other } = await openNode()
    const bus = createLocalBus(() => undefined)
    const received: string[] = []
    bus.subscribe((message) => {
      received.push(message.kind === 'sessions_ended' ? (message.sessionIds[0] as string) : message.kind)
    })
    let isDown = false
    const refusing = Object.assign(
      (...args: Parameters<Pool>) =>
        isDown ? Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })) : pool(...args),
      {},
    ) as unknown as Pool
    const outbox = await openOutbox({ pool: refusing, bus, peers: null, log: silent, recent: createRecentEvents() }, 0)
    onTestFinished(() => outbox.stop())
    isDown = true
    await write(other, 'meanwhile')
    await expect(outbox.catchUp()).rejects.toThrow('cannot be read')
    isDown = false
    await outbox.catchUp()
    expect(received).toEqual(['meanwhile'])
  })

  it('has the same position on every node, also on one that starts after all rows were deleted', async () => {
    const [here, there] = [await openNode(), await openNode()]
    for (const [index, { outbox }] of [here, there, here, there].entries()) await write(outbox, String(index))
    await here.outbox.catchUp()
    await there.outbox.catchUp()
    const position = here.recent.position()
    expect(there.recent.position()).toBe(position)
    const before = await openNode()
    expect(before.recent.position()).toBe(position)
    await deleteOlderThan(pool, 0, outboxLimits.deleteBatch)
    expect(await pool`select from outbox`).toHaveLength(0)
    const after = await openNode()
    expect(after.recent.position()).toBe(position)
    expect(after.recent.since(ann, position)).toEqual([])
    await write(after.outbox, 'later')
    await here.outbox.catchUp()
    expect(here.recent.position()).toBe(after.recent.position())
    expect(after.recent.position() > position).toBe(true)
  })

  it('deletes old rows only', async () => {
    const { outbox } = await openNode()
    await write(outbox, 'young')
    expect(await deleteOlderThan(pool, 60, 10)).toBe(0)
    expect(await deleteOlderThan(pool, 0, 10)).toBeGreaterThan(0)
  })

  it('contains the audience of a change, so that no node has to query it', async () => {
    const { outbox } = await openNode()
    const { outbox: other } = await openNode()
    const record = { id: ann, username: 'ann', display_name: null, has_image: false, is_online: true }
    const change = { table: 'users', type: 'INSERT', record, oldRecord: null, audience: [ann, bob], committedAt: 'x' }
    const received: BusMessage[] = []
    const bus = createLocalBus(() => undefined)
    bus.subscribe((message) => received.push(message))
    const third = await openOutbox({ pool, bus, peers: null, log: silent, recent: createRecentEvents() }, 0)
    onTestFinished(() => third.stop())
    await pool.begin(async (tx) => {
      const { query } = outbox.append(tx, [{ kind: 'changes', changes: [change as never] }])
      sendWithCommit(tx, [query])
    })
    await third.catchUp()
    expect(received).toEqual([{ kind: 'changes', changes: [{ ...change, committedAt: expect.any(String) }] }])
    await other.catchUp()
  })
})
