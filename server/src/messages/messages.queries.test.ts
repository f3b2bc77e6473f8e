import type { ConversationId, MessageId, UserId } from '@hither/contract/ids.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { openTestPool } from '../../test/harness.ts'
import { planOf, plansOf } from '../../test/query-plans.ts'
import type { Db, Pool } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { findConversation, findPage, listConversations, listSummaries, lockChat } from './conversations.queries.ts'
import { listDue } from './erasure/erasure.queries.ts'
import { searchMessages } from './search/search.queries.ts'
import { insertMessage } from './sending/sending.queries.ts'

const people = Array.from({ length: 2000 }, () => newId<UserId>())
const [ann = newId<UserId>()] = people
const chats = people.map(() => newId<ConversationId>())
const [chat = newId<ConversationId>()] = chats
const directs = people.map(() => newId<ConversationId>())
const long = 10_000

let db: Pool

beforeAll(async () => {
  const opened = await openTestPool()
  db = opened.db
  await db`
    insert into users (id, email, email_key, username, username_key, created_at, updated_at)
    select id::uuid, n || '@example.org', n || '@example.org', 'user' || n, 'user' || n, now(), now()
    from unnest(${people}::text[]) with ordinality as p (id, n)`
  // Each user has a group with the next four and a direct conversation with the next one; the first group has many
  // messages.
  const next = (step: number) => people.map((_, n) => people[(n + step) % people.length] ?? ann)
  await db`
    insert into chats (id, type, name, last_seq, created_at, updated_at, system_created, erase_at)
    select id::uuid, 'group', 'Walks', 5, now(), now(), true, now() + interval '7 days' from unnest(${chats}::text[]) as c (id)`
  await db`
    insert into chats (id, type, pair_low_id, pair_high_id, created_at, updated_at)
    select c.id::uuid, 'direct', least(c.a::uuid, c.b::uuid), greatest(c.a::uuid, c.b::uuid), now(), now()
    from unnest(${directs}::text[], ${people}::text[], ${next(1)}::text[]) as c (id, a, b)`
  for (const step of [0, 1, 2, 3, 4]) {
    await db`
      insert into chat_members (chat_id, user_id, role, joined_at, last_read_seq, read_at)
      select c.id::uuid, c.member::uuid, 'member', now(), 2, now()
      from unnest(${chats}::text[], ${next(step)}::text[]) as c (id, member)`
  }
  await db`
    insert into chat_keep_requests (chat_id, user_id)
    select c.id::uuid, c.member::uuid from unnest(${chats}::text[], ${people}::text[]) as c (id, member)`
  for (const step of [0, 1]) {
    await db`
      insert into chat_members (chat_id, user_id, role, joined_at, last_read_seq, read_at)
      select c.id::uuid, c.member::uuid, 'member', now(), 0, now()
      from unnest(${directs}::text[], ${next(step)}::text[]) as c (id, member)`
  }
  await db`
    insert into messages (id, chat_id, seq, sender_id, content, created_at, search)
    select gen_random_uuid(), c.id::uuid, s, c.member::uuid, 'Hello', now(), words_in_chat(c.id::uuid, '{hello}')
    from unnest(${chats}::text[], ${people}::text[]) as c (id, member), generate_series(1, 5) s`
  await db`
    insert into messages (id, chat_id, seq, sender_id, content, created_at, search)
    select gen_random_uuid(), ${chat}, s, ${ann}, 'Hello', now(), words_in_chat(${chat}, '{hello}') from generate_series(6, ${long}) s`
  await db`update chats set last_seq = ${long} where id = ${chat}`
  await db`
    insert into message_reactions (message_id, user_id, emoji, created_at)
    select id, sender_id, '👍', now() from messages`
  await db`
    insert into images (
      id, message_id, uploaded_by, storage_key, thumb_storage_key, hash, width, height, bytes, thumb_bytes, created_at)
    select gen_random_uuid(), id, sender_id, id || '.webp', id || '-thumb.webp', 'hash', 1, 1, 1, 1, now()
    from messages`
  await db`analyze`
  return opened.close
})

const page = { direction: 'before', anchor: null, limit: 20, offset: 0 } as const
const search = { words: ['hell'], position: null, limit: 20 }
const now = new Date()
const lists = {
  listConversations: (db: Db) => listConversations(db, ann, now),
  listSummaries: (db: Db) => listSummaries(db, ann, now),
  findConversation: (db: Db) => findConversation(db, ann, chat, now),
  findPage: (db: Db) => findPage(db, ann, chat, now, page),
  'findPage before a message': (db: Db) => findPage(db, ann, chat, now, { ...page, anchor: newId<MessageId>() }),
  'findPage after a message': (db: Db) =>
    findPage(db, ann, chat, now, { ...page, direction: 'after', anchor: newId<MessageId>() }),
  searchMessages: (db: Db) => searchMessages(db, ann, now, { ...search, conversationId: null }),
  'searchMessages of one conversation': (db: Db) => searchMessages(db, ann, now, { ...search, conversationId: chat }),
  'findPage around a message': (db: Db) =>
    findPage(db, ann, chat, now, { ...page, direction: 'around', anchor: newId<MessageId>() }),
}

describe('with thousands of conversations and messages, no sequential scan of their tables is planned', () => {
  it.each(Object.entries(lists))('for the query %s', async (_name, list) => {
    const scans = (await planOf(db, list)).filter((step) =>
      ['chats', 'chat_members', 'chat_keep_requests', 'messages', 'message_reactions', 'images', 'users'].includes(
        String(step['Relation Name']),
      ),
    )
    expect(scans.length).toBeGreaterThan(2)
    expect(scans.filter((step) => step['Node Type'] === 'Seq Scan')).toEqual([])
  })

  it('for the chats that are due', async () => {
    const scans = (await planOf(db, (tx) => listDue(tx, now, 20))).filter((step) => step['Relation Name'] === 'chats')
    expect(scans.map((step) => step['Index Name'])).toEqual(['chats_erase_at_idx'])
  })

  it('and the read position of others is computed once per page', async () => {
    const steps = await planOf(db, (tx) => findPage(tx, ann, chat, now, { ...page, limit: 100 }), 'analyze, ')
    const members = steps.filter((step) => step['Relation Name'] === 'chat_members')
    expect(members.map((step) => step['Actual Loops'])).toEqual(members.map(() => 1))
  })

  it('and no more messages are read than are returned', async () => {
    const steps = await planOf(db, (tx) => findPage(tx, ann, chat, now, page), 'analyze, ')
    const messages = steps.filter((step) => step['Relation Name'] === 'messages')
    expect(Math.max(...messages.map((step) => Number(step['Actual Rows'])))).toBe(21)
  })

  it('and the lists are complete', async () => {
    for (const list of [listConversations, listSummaries]) {
      const [row] = await list(db, ann, now)
      expect(JSON.parse(row?.json ?? '')).toHaveLength(7)
    }
    const [found] = await findPage(db, ann, chat, now, page)
    expect([found?.messages.length, found?.messages.at(-1)?.seq]).toEqual([21, long])
    expect(await findPage(db, people[100] ?? ann, chat, now, page)).toEqual([])
  })
})

it('the insertion of a message is planned a few times for a connection and not for every message', async () => {
  const message = { senderId: people[9] ?? ann, text: 'Hello' }
  const nothing = { clientId: null, replyToId: null, attachment: null, place: null }
  const createdAt = new Date().toISOString()
  const planned = await db.begin(async (tx) => {
    const conversationId = await lockChat(tx, chats[9] ?? chat)
    for (let sent = 0; sent < 20; sent++)
      await insertMessage(tx, { conversationId, ...message, ...nothing, id: newId<MessageId>(), createdAt })
    return plansOf(tx, 'with chat as')
  })
  expect(planned).toEqual([{ each: 5, shared: 15 }])
})
