import type { FriendLinkResult } from '@hither/contract/friend-links.ts'

const key = 'friend_code'

/** Used where nothing can be stored. */
let fallback: string | null = null

/** The result of the friend link of a sign-up that no screen has shown yet. */
let result: FriendLinkResult | null = null

/**
 * Returns the code of the friend link that was opened in this tab; null if there is none, or if it was used or
 * rejected. It is stored per tab and neither in the address nor in the state of a history entry.
 */
export function readFriendCode(): string | null {
  try {
    return sessionStorage.getItem(key) ?? fallback
  } catch {
    return fallback
  }
}

export function storeFriendCode(code: string) {
  fallback = code
  try {
    sessionStorage.setItem(key, code)
  } catch {
    // The code is lost if the page is reloaded.
  }
}

export function clearFriendCode() {
  fallback = null
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing can be stored in this browser.
  }
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
