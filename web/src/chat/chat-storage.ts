import type { UserId } from '@hither/contract/ids.ts'

/** What is stored in `localStorage`. Only earlier versions of the app wrote `outbox`, see `moveStoredMessages`. */
type ChatStorageName = 'drafts' | 'outbox'

const prefix = 'chat:'
const memory = new Map<string, string>()

function keyOf(name: ChatStorageName, userId: UserId): string {
  return `${prefix}${userId}:${name}`
}

export function readChatStorage(name: ChatStorageName, userId: UserId): unknown {
  const key = keyOf(name, userId)
  try {
    return JSON.parse(storage()?.getItem(key) ?? memory.get(key) ?? 'null')
  } catch {
    return null
  }
}

export function writeChatStorage(name: ChatStorageName, userId: UserId, value: object) {
  const key = keyOf(name, userId)
  const json = JSON.stringify(value)
  try {
    storage()?.setItem(key, json)
    memory.delete(key)
    if (storage() === null) memory.set(key, json)
  } catch {
    // The storage is full: the value stays in memory until the tab is closed.
    memory.set(key, json)
  }
}

export function removeChatStorage(name: ChatStorageName, userId: UserId) {
  const key = keyOf(name, userId)
  memory.delete(key)
  storage()?.removeItem(key)
}

/** Deletes what is stored for the user `of`, or for every user except `butOf`. */
export function clearChatStorage({ of, butOf }: { of?: UserId; butOf?: UserId }) {
  const isMeant = (key: string) =>
    key.startsWith(prefix) &&
    (of === undefined || key.startsWith(`${prefix}${of}:`)) &&
    (butOf === undefined || !key.startsWith(`${prefix}${butOf}:`))
  for (const key of [...memory.keys()].filter(isMeant)) memory.delete(key)
  const stored = storage()
  for (const key of Object.keys(stored ?? {}).filter(isMeant)) stored?.removeItem(key)
}

/** Null in browsers whose privacy mode refuses access to the storage. */
function storage(): Storage | null {
  try {
    return typeof localStorage === 'undefined' ? null : localStorage
  } catch {
    return null
  }
}
