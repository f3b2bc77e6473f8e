import { type ChatRow, type FeedChange, type MessageRow } from '@hither/contract/feeds.ts'
import { type ConversationId, type MessageId, type UserId } from '@hither/contract/ids.ts'
import { type Message } from '@hither/contract/messages.ts'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { conversationQuery, summariesQuery } from './chat.api.ts'
import { applyChatChange, applyMessageChange, applyReceiptChange, applyUserToChats } from './chat.live.ts'
import { type OpenConversation, readUpTo, totalUnread } from './chat-changes.ts'
import { ann, at, bob, cafe, eve, groupOf, messageFrom, summaryOf } from './harness.ts'

type ChangeOf<T extends FeedChange['table']> = Extract<FeedChange, { table: T }>

const pub = 'pub' as ConversationId

let queryClient: QueryClient

beforeEach(() => {
  queryClient = new QueryClient()
  queryClient.setQueryData(summariesQuery().queryKey, [
    summaryOf({ updated_at: at(2), last_message: messageFrom(bob, 2) }),
    summaryOf({ id: pub, name: 'Pub', updated_at: at(1) }),
  ])
  const held: OpenConversation = {
    conversation: groupOf(ann, bob, eve),
    messages: [messageFrom(ann, 1), messageFrom(bob, 2)],
    hasMore: false,
    lastSeq: 2,
    erased: [],
  }
  queryClient.setQueryData(conversationQuery(cafe).queryKey, held)
})

const list = () => queryClient.getQueryData(summariesQuery().queryKey)
const cafeInList = () => list()?.find(({ id }) => id === cafe)
const open = () => queryClient.getQueryData(conversationQuery(cafe).queryKey)
const seqs = () => open()?.messages.map(({ seq }) => seq)
const isStale = () => queryClient.getQueryState(conversationQuery(cafe).queryKey)?.isInvalidated

function said({ chat_id: _chat, read: _read, ...row }: Message): ChangeOf<'messages'> {
  return { table: 'messages', eventType: 'INSERT', new: row satisfies MessageRow, old: {} }
}

function erased(id: string): ChangeOf<'messages'> {
  return { table: 'messages', eventType: 'DELETE', new: {}, old: { id: id as MessageId } }
}

function read(user_id: UserId, last_read_seq: number): ChangeOf<'message_read_receipts'> {
  const row = { conversation_id: cafe, user_id, last_read_seq, read_at: at(30) }
  return { table: 'message_read_receipts', eventType: 'UPDATE', new: row, old: {} }
}

function membership(change: Partial<ChatRow>, eventType: 'INSERT' | 'UPDATE' = 'UPDATE'): ChangeOf<'chats'> {
  const row: ChatRow = {
    id: cafe,
    user_id: ann,
    name: 'Café',
    type: 'group',
    role: 'admin',
    updated_at: at(2),
    unread_count: 0,
    ...change,
  }
  return { table: 'chats', eventType, new: row, old: {} }
}

describe('a message', () => {
  test('appears once, however often it comes, and counts once as unread', () => {
    for (let time = 0; time < 3; time++) applyMessageChange(queryClient, said(messageFrom(bob, 3)), ann)
    expect(seqs()).toEqual([1, 2, 3])
    expect(cafeInList()).toMatchObject({ unread_count: 1, updated_at: at(3), last_message: { seq: 3 } })
    expect(totalUnread(list() ?? [])).toBe(1)
  })

  test('of the reader themselves is not unread', () => {
    applyMessageChange(queryClient, said(messageFrom(ann, 3)), ann)
    expect(cafeInList()).toMatchObject({ unread_count: 0, last_message: { seq: 3 } })
  })

  test('takes its conversation to the top of the list', () => {
    applyMessageChange(queryClient, said(messageFrom(bob, 9, { id: 'p1' as MessageId, conversation_id: pub })), ann)
    expect(list()?.map(({ id }) => id)).toEqual([pub, cafe])
  })

  test('stands where its number says, and whatever comes out of order is asked for again', () => {
    applyMessageChange(queryClient, said(messageFrom(bob, 4)), ann)
    expect(isStale()).toBe(true)
    applyMessageChange(queryClient, said(messageFrom(eve, 3)), ann)
    expect(seqs()).toEqual([1, 2, 3, 4])
    expect(cafeInList()?.last_message?.seq).toBe(4)
  })

  test('that follows without a gap causes no reading', () => {
    applyMessageChange(queryClient, said(messageFrom(bob, 3)), ann)
    expect(isStale()).toBe(false)
  })

  test('older than the pages that were read waits for its page', () => {
    queryClient.setQueryData(conversationQuery(cafe).queryKey, (held) => held && { ...held, hasMore: true })
    applyMessageChange(queryClient, said(messageFrom(bob, 0)), ann)
    expect(seqs()).toEqual([1, 2])
  })

  test('is gone at once when it is deleted, and does not come back with a late copy', () => {
    applyMessageChange(queryClient, erased('m2'), ann)
    applyMessageChange(queryClient, erased('m2'), ann)
    expect(seqs()).toEqual([1])
    expect(cafeInList()?.last_message).toBeNull()
    applyMessageChange(queryClient, said(messageFrom(bob, 2)), ann)
    expect(seqs()).toEqual([1])
  })

  test('whose deletion leaves a hole does not make the next one look like a gap', () => {
    applyMessageChange(queryClient, said(messageFrom(bob, 3)), ann)
    applyMessageChange(queryClient, erased('m3'), ann)
    applyMessageChange(queryClient, said(messageFrom(bob, 4)), ann)
    expect(seqs()).toEqual([1, 2, 4])
    expect(isStale()).toBe(false)
  })

  test('of someone who has deleted their account loses their name', () => {
    const row = { ...said(messageFrom(bob, 2)).new, sender_id: null, sender_username: 'Deleted user' } as MessageRow
    applyMessageChange(queryClient, { table: 'messages', eventType: 'UPDATE', new: row, old: {} }, ann)
    expect(open()?.messages[1]?.sender_username).toBe('Deleted user')
    expect(cafeInList()?.last_message?.sender_username).toBe('Deleted user')
  })

  test('of a conversation that was never opened only touches the list', () => {
    queryClient.removeQueries(conversationQuery(cafe))
    applyMessageChange(queryClient, said(messageFrom(bob, 3)), ann)
    expect(open()).toBeUndefined()
    expect(cafeInList()?.unread_count).toBe(1)
  })
})

describe('the row of a membership and the message it counts', () => {
  const counted = membership({ unread_count: 1, updated_at: at(3) })

  test('make one unread in whichever order they come', () => {
    applyChatChange(queryClient, counted, ann)
    applyMessageChange(queryClient, said(messageFrom(bob, 3)), ann)
    expect(cafeInList()?.unread_count).toBe(1)

    applyMessageChange(queryClient, said(messageFrom(bob, 4)), ann)
    applyChatChange(queryClient, membership({ unread_count: 2, updated_at: at(4) }), ann)
    expect(cafeInList()?.unread_count).toBe(2)
  })

  test('an old row does not take back a newer count', () => {
    applyMessageChange(queryClient, said(messageFrom(bob, 3)), ann)
    applyChatChange(queryClient, membership({ unread_count: 0, updated_at: at(2) }), ann)
    expect(cafeInList()?.unread_count).toBe(1)
  })
})

describe('a receipt', () => {
  test('moves forward only', () => {
    applyReceiptChange(queryClient, read(bob, 2), ann)
    applyReceiptChange(queryClient, read(eve, 1), ann)
    applyReceiptChange(queryClient, read(bob, 1), ann)
    const conversation = open()?.conversation
    expect(conversation && readUpTo(conversation, ann)).toBe(1)
  })

  test("of the reader's other device empties the count, unless something newer has come", () => {
    applyMessageChange(queryClient, said(messageFrom(bob, 3)), ann)
    applyReceiptChange(queryClient, read(ann, 2), ann)
    expect(cafeInList()?.unread_count).toBe(1)
    applyReceiptChange(queryClient, read(ann, 3), ann)
    expect(cafeInList()?.unread_count).toBe(0)
  })

  test('of someone unknown makes the members be read again', () => {
    applyReceiptChange(queryClient, read('cat' as UserId, 0), ann)
    expect(isStale()).toBe(true)
  })
})

describe('a membership', () => {
  test('that ends takes the conversation with all its messages off the device', () => {
    const change = { table: 'chats', eventType: 'DELETE', new: {}, old: { id: cafe, user_id: ann } } as const
    applyChatChange(queryClient, change, ann)
    applyChatChange(queryClient, change, ann)
    expect(list()?.map(({ id }) => id)).toEqual([pub])
    expect(open()).toBeNull()
  })

  test('carries a new name and a new role', () => {
    applyChatChange(queryClient, membership({ name: 'Tea room', role: 'member' }), ann)
    expect(cafeInList()?.name).toBe('Tea room')
    expect(open()?.conversation).toMatchObject({ name: 'Tea room', participants: [{ role: 'member' }, {}, {}] })
  })
})

test('a person keeps one name in the list, among the members and above their messages', () => {
  const direct_participant = { user_id: bob, username: 'bob', has_image: false }
  queryClient.setQueryData(summariesQuery().queryKey, [summaryOf({ type: 'direct', name: null, direct_participant })])
  const row = { id: bob, username: 'robert', has_image: true, is_online: true }
  applyUserToChats(queryClient, { table: 'users', eventType: 'UPDATE', new: row, old: {} }, ann)
  expect(cafeInList()?.direct_participant).toEqual({ user_id: bob, username: 'robert', has_image: true })
  expect(open()?.conversation.participants[1]).toMatchObject({ username: 'robert', has_image: true })
  expect(open()?.messages[1]?.sender_username).toBe('robert')
})
