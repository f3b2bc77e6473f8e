import type { FriendshipId } from '@hither/contract/ids.ts'
import { withLock } from '../../outbox/sender.ts'

const key = 'new_friends_asked'
/** Older ones are not reported again. */
const storedMax = 200

/** Used alone if the storage is full or forbidden. */
const askedHere = new Set<string>()

/** Resolves to true once on a device for each friendship, in whichever tab is first. */
export function claimQuestion(id: FriendshipId): Promise<boolean> {
  return withLock('hither-new-friends', async () => {
    const asked = [...stored(), ...askedHere]
    if (asked.includes(id)) return false
    askedHere.add(id)
    try {
      localStorage.setItem(key, JSON.stringify([...stored(), id].slice(-storedMax)))
    } catch {
      // The question may appear in another tab too.
    }
    return true
  })
}

function stored(): string[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '[]') as string[]
  } catch {
    return []
  }
}
