import { type FeedName, type Feeds, feedNames } from '@hither/contract/feeds.ts'
import type { ConversationId, GuestId, MessageId, PingId } from '@hither/contract/ids.ts'
import { expect, test } from 'vitest'
import { feeds } from '../../feeds/feeds.ts'
import type { Change } from '../../platform/events/bus.ts'
import { ann, bob, committedAt } from '../harness.ts'
import { bindingSetOf } from './binding-sets.ts'
import { createFrames } from './frames.ts'
import { Subscription } from './subscription.ts'

type ChildFeed = { [F in FeedName]: (typeof feeds)[F]['parent'] extends null ? never : F }[FeedName]

const first = '01900000-0000-7000-8000-000000000001'
const second = '01900000-0000-7000-8000-000000000002'

/** For each feed whose rows are visible through another row: a row of the parent with this id. */
const rowsOf: { [F in ChildFeed]: (parentId: string) => Feeds[F] } = {
  ping_responses: (parentId) => ({
    ping_id: parentId as PingId,
    user_id: bob,
    username: 'bob',
    display_name: null,
    response_type: 'accepted',
    revision: 0,
    created_at: committedAt,
    updated_at: committedAt,
  }),
  ping_guests: (parentId) => ({
    id: '01900000-0000-7000-8000-000000000004' as GuestId,
    ping_id: parentId as PingId,
    user_id: null,
    name: 'Mia',
    response_type: 'accepted',
    revision: 0,
    state: 'approved',
    created_at: committedAt,
    updated_at: committedAt,
  }),
  ping_trips: (parentId) => ({
    ping_id: parentId as PingId,
    user_id: bob,
    username: 'bob',
    state: 'en_route',
    arrives_at: committedAt,
    started_at: committedAt,
    updated_at: committedAt,
  }),
  messages: (parentId) => ({
    id: '01900000-0000-7000-8000-000000000003' as MessageId,
    conversation_id: parentId as ConversationId,
    sender_id: bob,
    sender_username: 'bob',
    sender_display_name: null,
    content: 'Hello',
    created_at: committedAt,
    seq: 1,
    client_id: null,
    edited_at: null,
    reply_to: null,
    attachment: null,
  }),
  message_reactions: (parentId) => ({
    message_id: parentId as MessageId,
    conversation_id: '01900000-0000-7000-8000-000000000005' as ConversationId,
    user_id: bob,
    username: 'bob',
    emoji: '👍',
    created_at: committedAt,
  }),
  message_read_receipts: (parentId) => ({
    conversation_id: parentId as ConversationId,
    user_id: bob,
    last_read_seq: 1,
    read_at: committedAt,
  }),
}

const children = feedNames.filter((feed): feed is ChildFeed => feeds[feed].parent !== null)

test.each(children)('a user who lost access to the parent row does not receive stored changes of %s', (table) => {
  const bindings = bindingSetOf('2.0.0', [{ event: '*', schema: 'public', table: '*' }])
  const subscription = new Subscription({ topic: 'realtime:all', bindings, keepsSent: true })
  const deliver = (change: object) => {
    const complete = { audience: [ann], committedAt, ...change } as unknown as Change
    subscription.deliver(complete, createFrames(complete))
  }
  for (const parentId of [first, second])
    deliver({ table, type: 'INSERT', record: rowsOf[table](parentId), oldRecord: null })
  deliver({ table: feeds[table].parent.feed, type: 'DELETE', record: null, oldRecord: { id: first, user_id: ann } })

  const sent: string[] = []
  subscription.attach({ mayReceive: () => true, sendChange: (frame) => sent.push(String(frame)), onBroken() {} })
  subscription.flush()

  expect(sent.map((frame) => [frame.includes(`"table":"${table}"`), frame.includes(first)])).toEqual([
    [true, false],
    [false, true],
  ])
})
