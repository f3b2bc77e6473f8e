import type { UserId } from '@hither/contract/ids.ts'
import { deviceStorage } from '../device/storage.ts'

/** What is stored in `localStorage`. Only earlier versions of the app wrote `outbox`, see `moveStoredMessages`. */
type ChatStorageName = 'drafts' | 'outbox'

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
