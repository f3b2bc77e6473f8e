import type { ChatRow, FeedChange, MessageRow } from '@hither/contract/feeds.ts'
import type { ConversationId, MessageId, UserId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { conversationQuery, summariesQuery } from './chat.api.ts'
import { patchCopies } from './chat.cache.ts'
import { applyChatChange, applyMessageChange, applyReactionChange, applyReceiptChange } from './chat.live.ts'
import { type OpenConversation, readUpTo, totalUnread } from './chat-changes.ts'
import { ann, at, bob, cafe, eve, groupOf, lastFrom, messageFrom, summaryOf } from './harness.ts'
import { searchQuery } from './search/search.api.ts'

type ChangeOf<T extends FeedChange['table']> = Extract<FeedChange, { table: T }>

const pub = 'pub' as ConversationId

let queryClient: QueryClient

beforeEach(() => {
  queryClient = new QueryClient()
  queryClient.setQueryData(summariesQuery().queryKey, [
    summaryOf({ updated_at: at(2), last_message: lastFrom(bob, 2) }),
    summaryOf({ id: pub, name: 'Pub', updated_at: at(1) }),
  ])
  const cached: OpenConversation = {
    conversation: groupOf(ann, bob, eve),
    messages: [messageFrom(ann, 1), messageFrom(bob, 2)],
    hasMore: false,
    lastSeq: 2,
    erased: [],
    window: null,
  }
  queryClient.setQueryData(conversationQuery(cafe).queryKey, cached)
})

const list = () => queryClient.getQueryData(summariesQuery().queryKey)
const cafeInList = () => list()?.find(({ id }) => id === cafe)
const open = () => queryClient.getQueryData(conversationQuery(cafe).queryKey)
const seqs = () => open()?.messages.map(({ seq }) => seq)
const isStale = () => queryClient.getQueryState(conversationQuery(cafe).queryKey)?.isInvalidated

function said({ chat_id: _chat, read: _read, reactions: _reactions, ...row }: Message): ChangeOf<'messages'> {
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
    pinned_at: null,
    archived_at: null,
    erase_at: null,
    kept_at: null,
    keep_count: 0,
    ...change,
  }
  return { table: 'chats', eventType, new: row, old: {} }
}

describe('a message', () => {
  test('that arrives twice is added once and counts once as unread', () => {
    for (let time = 0; time < 3; time++) applyMessageChange(queryClient, said(messageFrom(bob, 3)), ann)
    expect(seqs()).toEqual([1, 2, 3])
    expect(cafeInList()).toMatchObject({ unread_count: 1, updated_at: at(3), last_message: { seq: 3 } })
    expect(totalUnread(list() ?? [])).toBe(1)
  })

  test('of the viewer is not unread', () => {
    applyMessageChange(queryClient, said(messageFrom(ann, 3)), ann)
    expect(cafeInList()).toMatchObject({ unread_count: 0, last_message: { seq: 3 } })
  })

  test('moves its conversation to the top of the list', () => {
    applyMessageChange(queryClient, said(messageFrom(bob, 9, { id: 'p1' as MessageId, conversation_id: pub })), ann)
    expect(list()?.map(({ id }) => id)).toEqual([pub, cafe])
  })

  test('is sorted by seq, and a gap causes a refetch', () => {
    applyMessageChange(queryClient, said(messageFrom(bob, 4)), ann)
    expect(isStale()).toBe(true)
    applyMessageChange(queryClient, said(messageFrom(eve, 3)), ann)
    expect(seqs()).toEqual([1, 2, 3, 4])
    expect(cafeInList()?.last_message?.seq).toBe(4)
  })

  test('that follows without a gap causes no refetch', () => {
    applyMessageChange(queryClient, said(messageFrom(bob, 3)), ann)
    expect(isStale()).toBe(false)
  })

  test('older than the loaded pages is added with its page', () => {
    queryClient.setQueryData(conversationQuery(cafe).queryKey, (cached) => cached && { ...cached, hasMore: true })
    applyMessageChange(queryClient, said(messageFrom(bob, 0)), ann)
    expect(seqs()).toEqual([1, 2])
  })

  test('that is deleted is removed at once and not restored by a delayed copy', () => {
    applyMessageChange(queryClient, erased('m2'), ann)
    applyMessageChange(queryClient, erased('m2'), ann)
    expect(seqs()).toEqual([1])
    expect(cafeInList()?.last_message).toBeNull()
    applyMessageChange(queryClient, said(messageFrom(bob, 2)), ann)
    expect(seqs()).toEqual([1])
  })

  test('that was deleted does not make the next message look like a gap', () => {
    applyMessageChange(queryClient, said(messageFrom(bob, 3)), ann)
    applyMessageChange(queryClient, erased('m3'), ann)
    applyMessageChange(queryClient, said(messageFrom(bob, 4)), ann)
    expect(seqs()).toEqual([1, 2, 4])
    expect(isStale()).toBe(false)
  })

  test('of a deleted account loses its sender name', () => {
    const row = { ...said(messageFrom(bob, 2)).new, sender_id: null, sender_username: 'Deleted user' } as MessageRow
    applyMessageChange(queryClient, { table: 'messages', eventType: 'UPDATE', new: row, old: {} }, ann)
    expect(open()?.messages[1]?.sender_username).toBe('Deleted user')
    expect(cafeInList()?.last_message?.sender_username).toBe('Deleted user')
  })

  test('of a conversation that is not cached changes only the list', () => {
    queryClient.removeQueries(conversationQuery(cafe))
    applyMessageChange(queryClient, said(messageFrom(bob, 3)), ann)
    expect(open()).toBeUndefined()
    expect(cafeInList()?.unread_count).toBe(1)
  })
})

describe('a reaction', () => {
  const row = { message_id: 'm2' as MessageId, conversation_id: cafe, username: 'bob', created_at: at(5) }
  const reacted = (user_id: UserId, emoji: string, eventType: 'INSERT' | 'UPDATE' = 'INSERT') =>
    ({ table: 'message_reactions', eventType, new: { ...row, user_id, emoji }, old: {} }) as const
  const removed = (user_id: UserId) =>
    ({
      table: 'message_reactions',
      eventType: 'DELETE',
      new: {},
      old: { message_id: row.message_id, user_id },
    }) as const
  const reactions = () => open()?.messages[1]?.reactions

  test('is added, changed and removed, also if each change arrives twice', () => {
    const list = cafeInList()
    for (let time = 0; time < 2; time++) applyReactionChange(queryClient, reacted(bob, '👍'))
    applyReactionChange(queryClient, reacted(ann, '👍'))
    expect(reactions()).toEqual([{ emoji: '👍', user_ids: [bob, ann] }])
    for (let time = 0; time < 2; time++) applyReactionChange(queryClient, reacted(bob, '🎉', 'UPDATE'))
    expect(reactions()).toEqual([
      { emoji: '👍', user_ids: [ann] },
      { emoji: '🎉', user_ids: [bob] },
    ])
    for (let time = 0; time < 2; time++) applyReactionChange(queryClient, removed(bob))
    expect(reactions()).toEqual([{ emoji: '👍', user_ids: [ann] }])
    expect(cafeInList()).toBe(list)
    expect(isStale()).toBe(false)
  })

  test('to a message that is not loaded changes nothing', () => {
    const before = open()
    applyReactionChange(queryClient, {
      ...reacted(bob, '👍'),
      new: { ...reacted(bob, '👍').new, message_id: 'm0' as MessageId },
    })
    expect(open()).toBe(before)
  })
})

describe('an edit', () => {
  const edited = messageFrom(bob, 2, { content: 'corrected', edited_at: at(4) })
  const change = { ...said(edited), eventType: 'UPDATE' } as ChangeOf<'messages'>

  test('changes the text in the conversation and in the list, and nothing else', () => {
    const before = cafeInList()
    applyMessageChange(queryClient, change, ann)
    expect(open()?.messages[1]).toMatchObject({ content: 'corrected', edited_at: at(4) })
    expect(cafeInList()).toEqual({ ...before, last_message: { ...before?.last_message, content: 'corrected' } })
  })

  test('is not undone by the first row of the message, which arrives again', () => {
    applyMessageChange(queryClient, change, ann)
    applyMessageChange(queryClient, said(messageFrom(bob, 2)), ann)
    expect(open()?.messages[1]?.content).toBe('corrected')
    expect(cafeInList()?.last_message?.content).toBe('corrected')
  })
})

describe('a membership row and the message it counts', () => {
  const counted = membership({ unread_count: 1, updated_at: at(3) })

  test('count one unread message in either order', () => {
    applyChatChange(queryClient, counted, ann)
    applyMessageChange(queryClient, said(messageFrom(bob, 3)), ann)
    expect(cafeInList()?.unread_count).toBe(1)

    applyMessageChange(queryClient, said(messageFrom(bob, 4)), ann)
    applyChatChange(queryClient, membership({ unread_count: 2, updated_at: at(4) }), ann)
    expect(cafeInList()?.unread_count).toBe(2)
  })

  test('an older row does not replace a newer count', () => {
    applyMessageChange(queryClient, said(messageFrom(bob, 3)), ann)
    applyChatChange(queryClient, membership({ unread_count: 0, updated_at: at(2) }), ann)
    expect(cafeInList()?.unread_count).toBe(1)
  })
})

describe('a read receipt', () => {
  test('moves forward only', () => {
    applyReceiptChange(queryClient, read(bob, 2), ann)
    applyReceiptChange(queryClient, read(eve, 1), ann)
    applyReceiptChange(queryClient, read(bob, 1), ann)
    const conversation = open()?.conversation
    expect(conversation && readUpTo(conversation, ann)).toBe(1)
  })

  test("of the viewer's other device clears the unread count, unless a newer message has arrived", () => {
    applyMessageChange(queryClient, said(messageFrom(bob, 3)), ann)
    applyReceiptChange(queryClient, read(ann, 2), ann)
    expect(cafeInList()?.unread_count).toBe(1)
    applyReceiptChange(queryClient, read(ann, 3), ann)
    expect(cafeInList()?.unread_count).toBe(0)
  })

  test('of an unknown user refetches the participants', () => {
    applyReceiptChange(queryClient, read('cat' as UserId, 0), ann)
    expect(isStale()).toBe(true)
  })
})

describe('a membership', () => {
  test('that ends removes the conversation and its messages from the device', () => {
    const change = { table: 'chats', eventType: 'DELETE', new: {}, old: { id: cafe, user_id: ann } } as const
    applyChatChange(queryClient, change, ann)
    applyChatChange(queryClient, change, ann)
    expect(list()?.map(({ id }) => id)).toEqual([pub])
    expect(open()).toBeNull()
  })

  test('that ends removes what was found in the conversation', () => {
    const { queryKey } = searchQuery('see you', null)
    queryClient.setQueryData(queryKey, {
      pages: [{ messages: [messageFrom(bob, 2)], next_cursor: null }],
      pageParams: [null],
    })
    const change = { table: 'chats', eventType: 'DELETE', new: {}, old: { id: cafe, user_id: ann } } as const
    applyChatChange(queryClient, change, ann)
    expect(queryClient.getQueryData(queryKey)).toBeUndefined()
  })

  test('that is archived on another device leaves the total of unread messages, and its next message returns it', () => {
    applyMessageChange(queryClient, said(messageFrom(bob, 3)), ann)
    const archived = membership({ archived_at: at(4), updated_at: at(3), unread_count: 1 })
    for (let time = 0; time < 2; time++) applyChatChange(queryClient, archived, ann)
    expect(cafeInList()).toMatchObject({ archived_at: at(4), unread_count: 1, updated_at: at(3) })
    expect(open()?.conversation.archived_at).toBe(at(4))
    expect(totalUnread(list() ?? [])).toBe(0)
    applyMessageChange(queryClient, said(messageFrom(bob, 5)), ann)
    applyChatChange(queryClient, membership({ updated_at: at(5), unread_count: 2 }), ann)
    expect(cafeInList()?.archived_at).toBeNull()
    expect(totalUnread(list() ?? [])).toBe(2)
  })

  test('that is pinned keeps the order and the counts of the list', () => {
    const before = list()?.map(({ id }) => id)
    applyChatChange(queryClient, membership({ pinned_at: at(9) }), ann)
    expect(cafeInList()?.pinned_at).toBe(at(9))
    expect(list()?.map(({ id }) => id)).toEqual(before)
  })

  test('that changes updates the name and the role', () => {
    applyChatChange(queryClient, membership({ name: 'Tea room', role: 'member' }), ann)
    expect(cafeInList()?.name).toBe('Tea room')
    expect(open()?.conversation).toMatchObject({ name: 'Tea room', participants: [{ role: 'member' }, {}, {}] })
  })

  test('that says of a request to keep the chat shows it at once and asks whose it is', () => {
    const dated = { erase_at: at(90), keep_requests: { count: 0, is_mine: false } } as const
    patchCopies(queryClient, cafe, (one) => ({ ...one, ...dated }))
    applyChatChange(queryClient, membership({ erase_at: at(90), keep_count: 1 }), ann)
    expect(isStale()).toBe(true)
    applyChatChange(queryClient, membership({ erase_at: at(90), keep_count: 1 }), ann)
    expect(cafeInList()?.keep_requests).toEqual({ count: 1, is_mine: false })
    expect(open()?.conversation.keep_requests).toEqual({ count: 1, is_mine: false })
  })

  test('that says that the chat was kept takes its date at once', () => {
    const dated = { erase_at: at(90), keep_requests: { count: 1, is_mine: true } } as const
    patchCopies(queryClient, cafe, (one) => ({ ...one, ...dated }))
    applyChatChange(queryClient, membership({ kept_at: at(5) }), ann)
    const kept = { erase_at: null, kept_at: at(5), keep_requests: null }
    expect(cafeInList()).toMatchObject(kept)
    expect(open()?.conversation).toMatchObject(kept)
    expect(isStale()).toBe(false)
  })
})
