import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import { deviceStorage } from '../device/storage.ts'

/**
 * What is stored in `localStorage`. `kept` has the kept chats whose notice was read, `unsent` how many messages an ended chat did
 * not receive. Only earlier versions of the app wrote `outbox`, see `moveStoredMessages`.
 */
type ChatStorageName = 'drafts' | 'kept' | 'unsent' | 'outbox'

const prefix = 'chat:'

function keyOf(name: ChatStorageName, userId: UserId): string {
  return `${prefix}${userId}:${name}`
}

export function readChatStorage(name: ChatStorageName, userId: UserId): unknown {
  try {
    return JSON.parse(deviceStorage.getItem(keyOf(name, userId)) ?? 'null')
  } catch {
    return null
  }
}

/** What is stored by the id of a conversation. */
export function readByConversation(name: ChatStorageName, userId: UserId): Readonly<Record<string, unknown>> {
  const stored = readChatStorage(name, userId)
  return typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {}
}

/** Deletes the value of a conversation if `value` is undefined. */
export function storeByConversation(name: ChatStorageName, userId: UserId, id: ConversationId, value: unknown) {
  const stored = readByConversation(name, userId)
  if (value === undefined && !(id in stored)) return
  const { [id]: _before, ...others } = stored
  writeChatStorage(name, userId, value === undefined ? others : { ...others, [id]: value })
}

export function writeChatStorage(name: ChatStorageName, userId: UserId, value: object) {
  deviceStorage.setItem(keyOf(name, userId), JSON.stringify(value))
}

export function removeChatStorage(name: ChatStorageName, userId: UserId) {
  deviceStorage.removeItem(keyOf(name, userId))
}

/** Deletes what is stored for the user `of`, or for every user except `butOf`. */
export function clearChatStorage({ of, butOf }: { of?: UserId; butOf?: UserId }) {
  const isMeant = (key: string) =>
    key.startsWith(prefix) &&
    (of === undefined || key.startsWith(`${prefix}${of}:`)) &&
    (butOf === undefined || !key.startsWith(`${prefix}${butOf}:`))
  for (const key of deviceStorage.keys().filter(isMeant)) deviceStorage.removeItem(key)
}
