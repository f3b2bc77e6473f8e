import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import { pageMax } from '@hither/contract/runtime/pages.ts'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { serverNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { currentRegistration } from '../../notifications/push/push-device.ts'
import { dataOf } from '../../service-worker/push.rules.ts'
import { publishNotice } from '../../ui/notices/notices.ts'
import { conversationQuery, summariesQuery } from '../chat.api.ts'
import { removeConversation } from '../chat.cache.ts'
import { readByConversation, storeByConversation } from '../chat-storage.ts'
import { saveDraft } from '../compose/drafts.ts'
import { nameOf } from '../conversation-name.ts'
import { endKey } from '../conversations.mutations.ts'
import { dropUnsent } from '../outbox/drop-unsent.ts'
import { type KnownChat, knownChats, removeDueChats, takeRemovedByDate } from './due-chats.ts'

/** How often the device looks for chats whose date has passed, at least: timers stop while it sleeps. */
const dueEveryMs = 60_000

/** The messages that an ended chat did not receive, until the server has confirmed the end. */
interface Unsent {
  name: string
  count: number
}

/**
 * Erases every copy of a conversation on this device when it leaves the cache: because the live channel or a response of the
 * server says so, or because its date has passed, also without a network. Reports the messages that were not sent. `onEnded` is
 * called for chats whose date has passed. Works until the returned function is called.
 */
export function watchEndedChats(
  queryClient: QueryClient,
  viewerId: UserId,
  onEnded: (id: ConversationId) => void,
): () => void {
  let known = knownChats(queryClient)
  let listed = idsOf(queryClient.getQueryData(listKey))
  let opened = openedOf(known)
  /** The chats that a running request for the list must contain. */
  let expected: ReadonlySet<ConversationId> = new Set(known.keys())
  let isRemoving = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const unsubscribe = queryClient.getQueryCache().subscribe((event) => {
    if (isRemoving || event.type !== 'updated' || !isOfChats(event.query.queryKey)) return
    const isList = event.query.queryKey[1] === listKey[1]
    if (event.action.type === 'fetch' && isList) expected = new Set(knownChats(queryClient).keys())
    if (event.action.type !== 'success') return
    const isRead = isList && !event.action.manual
    eraseGone(isRead)
    eraseEnded()
    if (isRead) reportUnsent(queryClient, viewerId)
  })
  eraseEnded()

  /** Erases the chats whose date has passed. They may have been kept meanwhile, which only the server knows. */
  function eraseEnded() {
    remove(() => removeDueChats(queryClient))
    for (const chat of takeRemovedByDate()) {
      onEnded(chat.id)
      void eraseCopies(viewerId, chat).then((count) => {
        const unsent: Unsent = { name: nameOf(chat), count }
        if (count > 0) storeByConversation('unsent', viewerId, chat.id, unsent)
      })
    }
    clearTimeout(timer)
    const dates = [...known.values()].flatMap(({ erase_at }) => erase_at ?? [])
    const nextMs = Math.min(...dates.map((date) => Date.parse(date))) - serverNow()
    timer = setTimeout(eraseEnded, Math.min(Math.max(nextMs, 0), dueEveryMs))
  }

  /** Erases what the list and the cache no longer have. */
  function eraseGone(isRead: boolean) {
    const list = queryClient.getQueryData(listKey)
    const ids = list === undefined ? listed : idsOf(list)
    const chats = [...known.values()]
    const removed = chats.filter(({ id }) => opened.has(id) && openOf(id) === null)
    const unlisted = chats.filter(({ id }) => !ids.has(id) && (listed.has(id) || (isRead && expected.has(id))))
    // A chat that moves while a list of several pages is read may be on none of them.
    const isCertain = !isRead || ids.size < pageMax
    for (const chat of new Set([...removed, ...(isCertain ? unlisted : [])])) handleGone(chat)
    if (!isCertain) for (const chat of unlisted) void verify(chat)
  }

  async function verify(chat: KnownChat) {
    const open = await queryClient.query({ ...conversationQuery(chat.id), staleTime: 0 }).catch(() => undefined)
    if (open === null) handleGone(chat)
  }

  function handleGone(chat: KnownChat) {
    const isOwnDoing = queryClient.isMutating({ mutationKey: endKey(chat.id) }) > 0
    remove(() => removeConversation(queryClient, chat.id))
    void eraseCopies(viewerId, chat).then((count) => {
      // The date may have moved to an earlier time while this device was offline.
      if (count > 0 && !isOwnDoing) publishUnsent(chat.erase_at !== null, nameOf(chat), count)
    })
  }

  /** Removes chats from the cache, and notes what it has then: a removal by this function is handled already. */
  function remove(change: () => void) {
    isRemoving = true
    change()
    isRemoving = false
    known = knownChats(queryClient)
    const list = queryClient.getQueryData(listKey)
    if (list !== undefined) listed = idsOf(list)
    opened = openedOf(known)
  }

  function openOf(id: ConversationId) {
    return queryClient.getQueryData(conversationQuery(id).queryKey)
  }

  function openedOf(chats: ReadonlyMap<ConversationId, KnownChat>): ReadonlySet<ConversationId> {
    return new Set([...chats.keys()].filter(openOf))
  }

  return () => {
    clearTimeout(timer)
    unsubscribe()
  }
}

const listKey = summariesQuery().queryKey

function isOfChats([area, kind]: QueryKey): boolean {
  return area === listKey[0] && (kind === listKey[1] || kind === conversationQuery('' as ConversationId).queryKey[1])
}

function idsOf(chats: Iterable<Pick<KnownChat, 'id'>> = []): ReadonlySet<ConversationId> {
  return new Set(Array.from(chats, ({ id }) => id))
}

/** Resolves to the number of messages that were waiting to be sent. */
async function eraseCopies(viewerId: UserId, { id }: KnownChat): Promise<number> {
  saveDraft(viewerId, id, '')
  storeByConversation('kept', viewerId, id, undefined)
  void closeNotifications(id).catch(() => undefined)
  return dropUnsent(viewerId, id)
}

async function closeNotifications(id: ConversationId) {
  const registration = await currentRegistration()
  for (const notification of (await registration?.getNotifications()) ?? [])
    if (dataOf(notification.data).conversation_id === id) notification.close()
}

/** Reports what was not sent to the chats whose date passed before the server could be asked. */
function reportUnsent(queryClient: QueryClient, viewerId: UserId) {
  const listed = idsOf(queryClient.getQueryData(listKey))
  for (const [id, stored] of Object.entries(readByConversation('unsent', viewerId))) {
    const { name, count } = stored as Unsent
    storeByConversation('unsent', viewerId, id as ConversationId, undefined)
    publishUnsent(!listed.has(id as ConversationId), name, count)
  }
}

function publishUnsent(hasEnded: boolean, name: string, count: number) {
  const text = hasEnded ? t('chat.date.endedUnsent', { name, count }) : t('chat.date.unsent', { name, count })
  publishNotice({ kind: 'error', text })
}
