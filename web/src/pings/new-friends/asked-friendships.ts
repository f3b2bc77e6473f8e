import type { FriendshipId } from '@hither/contract/ids.ts'
import { deviceStorage } from '../../device/storage.ts'
import { withLock } from '../../outbox/sender.ts'

const key = 'new_friends_asked'
/** Older ones are not reported again. */
const storedMax = 200

/** Resolves to true once on a device for each friendship, in whichever tab is first. */
export function claimQuestion(id: FriendshipId): Promise<boolean> {
  return withLock('hither-new-friends', async () => {
    const asked = stored()
    if (asked.includes(id)) return false
    deviceStorage.setItem(key, JSON.stringify([...asked, id].slice(-storedMax)))
    return true
  })
}

function stored(): string[] {
  try {
    return JSON.parse(deviceStorage.getItem(key) ?? '[]') as string[]
  } catch {
    return []
  }
}
