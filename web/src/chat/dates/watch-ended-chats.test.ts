import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import type { ConversationSummary } from '@hither/contract/messages/messages.ts'
import type { User } from '@hither/contract/users.ts'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearStoredSession, storeTokens, storeUser } from '../../api/stored-session.ts'
import { clearPersistentQueues } from '../../outbox/persistent-queue.ts'
import { startSession } from '../../session/session.ts'
import { subscribeToNotices } from '../../ui/notices/notices.ts'
import { conversationQuery, summariesQuery } from '../chat.api.ts'
import { removeConversation } from '../chat.cache.ts'
import { clearChatStorage, readChatStorage } from '../chat-storage.ts'
import { draftOf, saveDraft } from '../compose/drafts.ts'
import { endKey } from '../conversations.mutations.ts'
import { ann, cafe, groupOf, messageFrom, summaryOf } from '../harness.ts'
import { putIntoOutbox, waitingMessages } from '../outbox/message-outbox.ts'
import type { OutgoingPhoto } from '../outbox/outgoing.ts'
import { waitingPhotos } from '../outbox/photo-queue.ts'
import { removeDueChats } from './due-chats.ts'
import { watchEndedChats } from './watch-ended-chats.ts'

const pub = 'pub' as ConversationId
const startMs = Date.UTC(2026, 11, 3, 12)
const inMs = (ms: number) => new Date(startMs + ms).toISOString()
const { queryKey: listKey } = summariesQuery()

let queryClient: QueryClient
let stop: () => void
let notices: string[]
let ended: ConversationId[]

beforeEach(async () => {
  vi.useFakeTimers({ now: startMs, toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  storeTokens({ access_token: 'a', refresh_token: 'r', expires_at: 2_000_000_000 })
  storeUser({ id: ann, username: 'ann' } as User)
  startSession()
  queryClient = new QueryClient()
  notices = []
  ended = []
  stop = () => undefined
  const unsubscribe = subscribeToNotices(({ text }) => notices.push(text))
  return unsubscribe
})

afterEach(async () => {
  stop()
  vi.useRealTimers()
  clearStoredSession()
  clearChatStorage({})
  await clearPersistentQueues({})
})

const coffee = (more: Partial<ConversationSummary> = {}) => summaryOf({ name: 'Coffee at Nero Chat', ...more })

/** Caches both chats as the app has them at its start. */
function cache(more: Partial<ConversationSummary> = {}) {
  const other = summaryOf({ id: pub, name: 'Pub' })
  queryClient.setQueryData(listKey, [coffee(more), other])
  for (const summary of [coffee(more), other]) {
    const conversation = { ...groupOf(ann), ...summary }
    const messages = [messageFrom(ann, 1)]
    const open = { conversation, messages, hasMore: false, lastSeq: 1, erased: [], window: null }
    queryClient.setQueryData(conversationQuery(summary.id).queryKey, open)
  }
}

function watch() {
  stop = watchEndedChats(queryClient, ann, (id) => ended.push(id))
}

/** Writes a draft and two messages to both chats, one of them with a photo. */
async function writeToBoth() {
  for (const conversation_id of [cafe, pub]) {
    const item = { conversation_id, content: 'hi', created_at: inMs(0), state: 'waiting' } as const
    saveDraft(ann, conversation_id, 'half a')
    await putIntoOutbox(ann, { ...item, client_id: `text ${conversation_id}` })
    const message_id = `of ${conversation_id}` as MessageId
    await putIntoOutbox(ann, {
      ...item,
      client_id: `tap ${conversation_id}`,
      kind: 'reaction',
      message_id,
      emoji: '👍',
    })
    const photo = { ...item, client_id: `photo ${conversation_id}`, photo: {} } as OutgoingPhoto
    await waitingPhotos.edit(ann, (items) => [...items, photo])
  }
}

/** As a read of the list from the server. */
function read(summaries: ConversationSummary[]) {
  return queryClient.fetchQuery({ queryKey: [...listKey], queryFn: async () => summaries, staleTime: 0 })
}

const opened = (id: ConversationId) => queryClient.getQueryData(conversationQuery(id).queryKey)
const listedIds = () => queryClient.getQueryData(listKey)?.map(({ id }) => id)
const waitingFor = (id: ConversationId) =>
  [...waitingMessages.items(), ...waitingPhotos.items()].filter(({ conversation_id }) => conversation_id === id).length

/** Nothing of the first chat is left, and everything of the other one. */
async function expectErased() {
  await vi.waitFor(() => expect(waitingFor(cafe)).toBe(0))
  expect(opened(cafe)).toBeNull()
  expect(draftOf(ann, cafe)).toBe('')
  expect(listedIds()).toEqual([pub])
  expect(opened(pub)).toMatchObject({ lastSeq: 1 })
  expect(draftOf(ann, pub)).toBe('half a')
  expect(waitingFor(pub)).toBe(3)
}

test('a chat whose deletion arrives is erased with its draft and what waited, which is reported', async () => {
  cache({ erase_at: inMs(1000) })
  watch()
  await writeToBoth()
  removeConversation(queryClient, cafe)
  await expectErased()
  await vi.waitFor(() => expect(notices).toEqual(["Coffee at Nero Chat has ended, so 2 messages weren't sent."]))
})

test('a group without a date that was deleted is not said to have ended', async () => {
  cache()
  watch()
  await writeToBoth()
  removeConversation(queryClient, cafe)
  await expectErased()
  await vi.waitFor(() => expect(notices).toEqual(["2 messages to Coffee at Nero Chat weren't sent."]))
})

test('a chat that the viewer leaves is erased without a report', async () => {
  cache()
  watch()
  await writeToBoth()
  const leaving = queryClient.getMutationCache().build(queryClient, {
    mutationKey: endKey(cafe),
    mutationFn: async () => removeConversation(queryClient, cafe),
  })
  await leaving.execute(undefined)
  await expectErased()
  expect(notices).toEqual([])
})

test('a chat that a resync does not list is erased, also if only its messages were stored', async () => {
  cache()
  queryClient.setQueryData(listKey, [summaryOf({ id: pub, name: 'Pub' })])
  watch()
  await writeToBoth()
  await read([summaryOf({ id: pub, name: 'Pub' })])
  await expectErased()
})

test('a chat that is created while the list is read stays', async () => {
  queryClient.setQueryData(listKey, [])
  watch()
  let respond: (summaries: ConversationSummary[]) => void = () => undefined
  const queryFn = () => new Promise<ConversationSummary[]>((resolve) => (respond = resolve))
  const reading = queryClient.fetchQuery({ queryKey: [...listKey], queryFn, staleTime: 0 })
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(1))
  const open = { conversation: groupOf(ann), messages: [], hasMore: false, lastSeq: 0, erased: [], window: null }
  queryClient.setQueryData(conversationQuery(cafe).queryKey, open)
  saveDraft(ann, cafe, 'half a')
  respond([])
  await reading
  expect(opened(cafe)).toMatchObject({ lastSeq: 0 })
  expect(draftOf(ann, cafe)).toBe('half a')
})

test('a chat is removed at its date without a network, and what waited is reported when the server lists the others', async () => {
  cache({ erase_at: inMs(90_000) })
  watch()
  await writeToBoth()
  await vi.advanceTimersByTimeAsync(89_000)
  expect(listedIds()).toEqual([cafe, pub])
  await vi.advanceTimersByTimeAsync(1000)
  await expectErased()
  expect(ended).toEqual([cafe])
  await vi.waitFor(() => expect(readChatStorage('unsent', ann)).toMatchObject({ [cafe]: { count: 2 } }))
  expect(notices).toEqual([])

  await read([summaryOf({ id: pub, name: 'Pub' })])
  await read([summaryOf({ id: pub, name: 'Pub' })])
  expect(notices).toEqual(["Coffee at Nero Chat has ended, so 2 messages weren't sent."])
  expect(readChatStorage('unsent', ann)).toEqual({})
})

test('a chat whose date passed while the app was closed is removed before the first screen, and erased', async () => {
  cache({ erase_at: inMs(-1) })
  await writeToBoth()
  removeDueChats(queryClient)
  expect(listedIds()).toEqual([pub])
  expect(opened(cafe)).toBeNull()
  watch()
  await expectErased()
  expect(ended).toEqual([cafe])
})

test('a chat that was kept while the device was offline is listed again, and what waited is not said to have ended', async () => {
  cache({ erase_at: inMs(-1) })
  await writeToBoth()
  watch()
  await expectErased()
  await vi.waitFor(() => expect(readChatStorage('unsent', ann)).toMatchObject({ [cafe]: { count: 2 } }))
  await read([coffee({ kept_at: inMs(-500) }), summaryOf({ id: pub, name: 'Pub' })])
  expect(listedIds()).toEqual([cafe, pub])
  expect(notices).toEqual(["2 messages to Coffee at Nero Chat weren't sent."])
})

test('a date that moves is followed', async () => {
  cache({ erase_at: inMs(5000) })
  watch()
  queryClient.setQueryData(listKey, (list) =>
    list?.map((one) => (one.id === cafe ? { ...one, erase_at: inMs(9000) } : one)),
  )
  const { queryKey } = conversationQuery(cafe)
  queryClient.setQueryData(queryKey, (open) =>
    open ? { ...open, conversation: { ...open.conversation, erase_at: inMs(9000) } } : open,
  )
  await vi.advanceTimersByTimeAsync(5000)
  expect(listedIds()).toEqual([cafe, pub])
  await vi.advanceTimersByTimeAsync(4000)
  expect(listedIds()).toEqual([pub])
})
