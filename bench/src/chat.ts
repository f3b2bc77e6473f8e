import { parseArgs } from 'node:util'
import { searchMessages } from '@hither/contract/messages/message-search.ts'
import type { Pool } from '../../server/src/platform/db/database.ts'
import { allowLongWork } from '../../server/src/platform/db/open-database.ts'
import { printRatio } from './http/alternating-runs.ts'
import { latencyText, measureCosts, measureLatency, type Side } from './http/costs.ts'
import { productAt } from './http/load.ts'
import { type MeasuredPostgres, startMeasuredPostgres } from './http/postgres.ts'
import { startProduct } from './http/product.ts'
import { listVisitors, signIn } from './http/visitors.ts'
import { type Call, singleWorkloads, type Workload } from './http/workloads.ts'
import { type Before, openBefore } from './links-and-guests/before.ts'
import { withSides } from './links-and-guests/costs.ts'
import { printTable } from './table.ts'

/**
 * `npm run bench:chat [-- --before ../before --messages 1000000 --runs 6 --only search]`: the latency of searches, and the CPU
 * time of pages with reactions, quotes and photos. With `--before`, a checkout of an earlier version, it also compares the
 * list, the page and the sending of messages with it. `--messages` adds messages of random words to the data set until it has
 * that many. Linux only.
 */
const { values: options } = parseArgs({
  options: {
    before: { type: 'string' },
    messages: { type: 'string', default: '219000' },
    runs: { type: 'string', default: '6' },
    scale: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const unlimited = { RATE_LIMITS: 'off', LOAD_SHEDDING: 'off' }
const plan = { runs: Number(options.runs), atOnce: 8, closedMs: 1000, warmMs: 5000 }
const doNothing = async () => undefined

const postgres = await startMeasuredPostgres()
try {
  if (options.only !== 'costs') await measureSearches(Number(options.scale), Number(options.messages))
  if (options.only !== 'search') {
    const before = options.before === undefined ? null : await openBefore(postgres, options.before)
    try {
      await measurePages(before)
    } finally {
      await before?.close()
    }
  }
} finally {
  await postgres.stop()
}

async function measureSearches(scale: number, count: number): Promise<void> {
  const database = await postgres.load('searched', scale)
  try {
    const messages = await addMessages(database.pool, count)
    const side = await sideOf(postgres, database)
    await withSides([side], async () => {
      const rows: string[][] = []
      for (const [name, words, isInConversation] of [
        ['a rare word', ['wa3f', 'w0b1', 'w77c', 'we90'], false],
        ['two words of many messages', ['way on', 'my wait', 'on coffee'], false],
        ['a prefix in every message', ['on', 'way'], false],
        ['a prefix in every message, in one chat', ['on', 'way'], true],
        ['no result', ['zebra', 'quokka'], false],
      ] as const) {
        const workload = searchFor(words, isInConversation)
        const [latency] = await measureLatency([side], workload, { runs: 3, perSecond: 10, openMs: 8000 })
        if (latency) rows.push([name, latencyText(latency)])
      }
      printTable(`Search in ${messages.toLocaleString('en')} messages: ms, p50 / p95 / p99`, [['', 'latency'], ...rows])
    })
  } finally {
    await database.close()
  }
}

function searchFor(words: readonly string[], isInConversation: boolean): Workload {
  return {
    id: 'search',
    name: 'search',
    next(visitors): Call {
      const visitor = any(visitors)
      const id = any(visitor.conversations).id
      const body = { q: any(words), ...(isInConversation && { conversation_id: id }) }
      return { workload: 'search', operation: searchMessages, token: visitor.token, params: {}, body, inputs: {} }
    },
  }
}

/** Adds messages with five of 4096 words until there are `count`. Returns how many there are. */
async function addMessages(pool: Pool, count: number): Promise<number> {
  const [found] = await pool<[{ count: number }]>`select count(*)::int as count from messages`
  const missing = count - found.count
  if (missing <= 0) return found.count
  await pool.begin(async (tx) => {
    await allowLongWork(tx)
    await tx`set local session_replication_role = replica`
    await tx`
      insert into messages (id, chat_id, seq, sender_id, content, created_at, search)
      select gen_random_uuid(), c.id, c.last_seq + n, (select user_id from chat_members m where m.chat_id = c.id limit 1),
        'On my way ' || array_to_string(t.words, ' '), now() + make_interval(secs => n),
        words_in_chat(c.id, '{on,my,way}' || t.words)
      from chats c, generate_series(1, (${missing}::int / (select count(*) from chats))::int) n, lateral (
        select array_agg('w' || substr(md5(c.id::text || n || w), 1, 3)) as words from generate_series(1, 5) w) t`
    await tx`update chats c set last_seq = (select max(seq) from messages m where m.chat_id = c.id)`
    await tx`select gin_clean_pending_list('messages_search_idx')`
    await tx.unsafe('analyze messages')
  })
  const [now] = await pool<[{ count: number }]>`select count(*)::int as count from messages`
  return now.count
}

/** The list (R3), the page (R4) and the sending of texts (R5), compared with an earlier version, and a full page. */
async function measurePages(before: Before | null): Promise<void> {
  const database = await postgres.load('measured', 0.1)
  try {
    const side = await sideOf(postgres, database)
    const full = await postgres.load('full_pages', 0.1)
    await fillPages(full.pool)
    const fullSide = await sideOf(postgres, full)
    const sides = [side, fullSide]
    if (before) {
      const process = await before.start()
      const people = await signIn(process.url, await listVisitors(before.pool, 100))
      sides.push({ database: postgres, people, after: doNothing, process, target: productAt(process.url) })
    }
    await withSides(sides, async () => {
      const [page] = singleWorkloads.filter(({ id }) => id === 'R4')
      if (!page) throw new Error('No workload R4')
      const costs = await measureCosts([fullSide, side], [page], plan, page)
      printRatio(
        'Page of messages with 5 reactions, a quote and a photo: CPU µs',
        costs.get('R4'),
        ['full', 'texts'],
        '',
      )
      const earlier = sides[2]
      if (!earlier) return
      for (const [id, budget] of [
        ['R3', '≤ 1.05'],
        ['R4', '≤ 1.10'],
        ['R5', '≤ 1.15'],
      ] as const) {
        const workload = singleWorkloads.find((one) => one.id === id)
        if (!workload) continue
        const ratio = await measureCosts([side, earlier], [workload], plan, workload)
        printRatio(`${workload.name}: CPU µs per call`, ratio.get(id), ['now', 'before'], budget)
        if (id === 'R4') {
          const whole = await measureCosts([fullSide, earlier], [workload], plan, workload)
          printRatio('page with reactions, quotes and photos: CPU µs', whole.get(id), ['full', 'before'], '≤ 1.5')
        }
      }
    })
    await full.close()
  } finally {
    await database.close()
  }
}

/** Gives each of the last messages of every conversation a quote, a photo and five reactions. */
async function fillPages(pool: Pool): Promise<void> {
  await pool.begin(async (tx) => {
    await allowLongWork(tx)
    await tx`set local session_replication_role = replica`
    await tx`
      update messages m set attachment = 'photo', reply_to_id = (
        select q.id from messages q where q.chat_id = m.chat_id and q.seq = m.seq - 1)
      from chats c where c.id = m.chat_id and m.seq > c.last_seq - 25 and m.seq > 1`
    await tx`
      insert into images (id, message_id, uploaded_by, storage_key, thumb_storage_key, hash, width, height, bytes, thumb_bytes,
        created_at)
      select gen_random_uuid(), id, sender_id, id || '.webp', id || '-thumb.webp', 'hash', 1600, 1200, 1, 1, now()
      from messages where attachment = 'photo'`
    await tx`
      insert into message_reactions (message_id, user_id, emoji, created_at)
      select m.id, u.id, (array['👍', '❤️', '😂'])[1 + u.n % 3], now() - make_interval(secs => u.n)
      from messages m, (select id, row_number() over (order by id)::int as n from users limit 5) u
      where m.attachment = 'photo'`
  })
  await pool.unsafe('vacuum analyze')
}

async function sideOf(measured: MeasuredPostgres, { url, pool }: { url: string; pool: Pool }): Promise<Side> {
  const process = await startProduct({ url }, unlimited)
  const people = await signIn(process.url, await listVisitors(pool, 100))
  return { database: measured, people, after: doNothing, process, target: productAt(process.url) }
}

function any<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T
}
