import type { FriendLinkResult } from '@hither/contract/friend-links.ts'
import { tabStorage } from '../device/storage.ts'

const key = 'friend_code'

/** The result of the friend link of a sign-up that no screen has shown yet. */
let result: FriendLinkResult | null = null

/**
 * Returns the code of the friend link that was opened in this tab; null if there is none, or if it was used or
 * rejected. It is stored per tab and neither in the address nor in the state of a history entry.
 */
export function readFriendCode(): string | null {
  return tabStorage.getItem(key)
}

export function storeFriendCode(code: string) {
  tabStorage.setItem(key, code)
}

export function clearFriendCode() {
  tabStorage.removeItem(key)
}

/** Stores the result of the friend link of a sign-up. The code has been used or rejected. */
export function storeFriendLinkResult(signedUp: FriendLinkResult) {
  clearFriendCode()
  result = signedUp
}

/** Returns the result of the last sign-up once. */
export function takeFriendLinkResult(): FriendLinkResult | null {
  const taken = result
  result = null
  return taken
}
