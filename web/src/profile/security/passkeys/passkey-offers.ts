import type { UserId } from '@hither/contract/ids.ts'

const key = 'passkey_offered'

/** Returns whether a passkey was offered to this account on this device before. */
export function isPasskeyOffered(userId: UserId): boolean {
  return offeredTo().includes(userId)
}

export function notePasskeyOffer(userId: UserId) {
  try {
    localStorage.setItem(key, JSON.stringify([...new Set([...offeredTo(), userId])]))
  } catch {
    // Without storage, it is offered again after the next sign-in.
  }
}

function offeredTo(): readonly unknown[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(ids) ? ids : []
  } catch {
    return []
  }
}
