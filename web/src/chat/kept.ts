import { type UserId } from '@hither/contract/ids.ts'

/** What this device keeps of someone's chats for them alone: words that have not left it yet. */
export type KeptName = 'drafts' | 'outbox'

const prefix = 'chat:'
const memory = new Map<string, string>()

export function keyOf(name: KeptName, userId: UserId): string {
  return `${prefix}${userId}:${name}`
}

export function readKept(name: KeptName, userId: UserId): unknown {
  const key = keyOf(name, userId)
  try {
    return JSON.parse(storage()?.getItem(key) ?? memory.get(key) ?? 'null')
  } catch {
    return null
  }
}

export function writeKept(name: KeptName, userId: UserId, value: object) {
  const key = keyOf(name, userId)
  const json = JSON.stringify(value)
  try {
    storage()?.setItem(key, json)
    memory.delete(key)
    if (storage() === null) memory.set(key, json)
  } catch {
    // The device is full: the tab remembers it as long as it lives.
    memory.set(key, json)
  }
}

/** Of this person, or of everybody but this person. */
export function forgetKept({ of, butOf }: { of?: UserId; butOf?: UserId }) {
  const isMeant = (key: string) =>
    key.startsWith(prefix) &&
    (of === undefined || key.startsWith(`${prefix}${of}:`)) &&
    (butOf === undefined || !key.startsWith(`${prefix}${butOf}:`))
  for (const key of [...memory.keys()].filter(isMeant)) memory.delete(key)
  const kept = storage()
  for (const key of Object.keys(kept ?? {}).filter(isMeant)) kept?.removeItem(key)
}

/** Some privacy modes refuse it. */
function storage(): Storage | null {
  try {
    return typeof localStorage === 'undefined' ? null : localStorage
  } catch {
    return null
  }
}
