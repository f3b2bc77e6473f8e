import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import { pino } from 'pino'
import { type Change, createLocalBus, type DurableEvent } from '../../server/src/events/bus.ts'
import { type Appending, type Outbox, openOutbox } from '../../server/src/events/outbox.ts'
import { createRecentEvents } from '../../server/src/events/recent-events.ts'
import { sendWithCommit } from '../../server/src/platform/db/transactions.ts'
import { startMeasuredPostgres } from './http/postgres.ts'
import { median } from './process.ts'
import { printTable } from './table.ts'

/**
 * `npm run bench:outbox`: measures the CPU time of an outbox row at the node that writes it, at a node that reads it, and at
 * PostgreSQL. A write is compared with the same transaction without the row. The rounds alternate. Linux only.
 */
const rounds = 7
const perRound = 1500
const atOnce = 8
/** The events of a message to a group of six. */
const audience = Array.from({ length: 6 }, (_, index) => `0190a0a0-0000-7000-8000-00000000000${index}` as UserId)

const postgres = await startMeasuredPostgres()
try {
  const database = await postgres.load('outbox', 0.01)
  const { pool } = database
  await pool`create table writes (id bigint generated always as identity, text text)`
  const log = pino({ level: 'silent' })
  const open = () =>
    openOutbox({ pool, bus: createLocalBus(() => undefined), peers: null, log, recent: createRecentEvents() }, 0)
  const writer = await open()

  const plain: Cost[] = []
  const written: Cost[] = []
  const read: Cost[] = []
  const idle: Cost[] = []
  for (let round = 0; round < rounds; round++) {
    plain.push(await costOf(() => write(null)))
    const reader = await open()
    written.push(await costOf(() => write(writer)))
    read.push(await costOf(() => reader.catchUp()))
    idle.push(
      await costOf(async () => {
        for (let count = 0; count < perRound; count++) await reader.catchUp()
      }),
    )
    await reader.stop()
  }
  const row = (what: string, costs: readonly Cost[]) => [
    what,
    median(costs.map(({ node }) => node)).toFixed(0),
    median(costs.map(({ database: micros }) => micros)).toFixed(0),
  ]
  printTable(`CPU µs per transaction or row, median of ${rounds} rounds of ${perRound}, ${atOnce} at a time`, [
    ['', 'node', 'PostgreSQL'],
    row('a transaction that inserts one row', plain),
    row('the same with a row of the outbox (a message to six)', written),
    row('the row read and delivered by another node, 500 at a time', read),
    row('a read that finds nothing', idle),
  ])
  await writer.stop()
  await database.close()

  async function write(outbox: Outbox | null): Promise<void> {
    let left = perRound
    const next = async () => {
      while (left-- > 0) {
        let appending: Appending | null = null
        await pool.begin(async (tx) => {
          const insert = tx`insert into writes (text) values ('x')`
          if (outbox) appending = outbox.append(tx, events())
          sendWithCommit(tx, appending ? [insert, (appending as Appending).query] : [insert])
        })
        if (appending) await outbox?.committed(appending)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, next))
  }
} finally {
  await postgres.stop()
}

interface Cost {
  readonly node: number
  readonly database: number
}

async function costOf(work: () => Promise<void>): Promise<Cost> {
  const [usage, before] = [process.cpuUsage(), await postgres.cpuMicroseconds()]
  await work()
  const { user, system } = process.cpuUsage(usage)
  return { node: (user + system) / perRound, database: ((await postgres.cpuMicroseconds()) - before) / perRound }
}

function events(): DurableEvent[] {
  const committedAt = new Date().toISOString()
  const [sender] = audience as [UserId]
  const message = {
    id: sender,
    conversation_id: sender,
    sender_id: sender,
    sender_username: 'ann',
    sender_display_name: null,
    content: 'See you there at eight?',
  }
  const change = { table: 'messages', type: 'INSERT', record: message, oldRecord: null, audience, committedAt }
  return [
    { kind: 'changes', changes: [change as unknown as Change] },
    {
      kind: 'unread_counts_changed',
      chat: {
        ...{ id: sender as string as ConversationId, name: 'Friday', type: 'group' },
        ...{ erase_at: null, kept_at: null, keep_count: 0 },
      },
      updatedAt: committedAt,
      previousUpdatedAt: committedAt,
      members: audience.map((userId) => ({ userId, role: 'member', unreadCount: 1, previousUnreadCount: 0 })),
      committedAt,
    },
  ]
}
