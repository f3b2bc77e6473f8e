import type { UserId } from '@hither/contract/ids.ts'
import { deviceStorage } from '../../../device/storage.ts'

const key = 'passkey_offered'

/** Returns whether a passkey was offered to this account on this device before. */
export function isPasskeyOffered(userId: UserId): boolean {
  return offeredTo().includes(userId)
}

export function notePasskeyOffer(userId: UserId) {
  deviceStorage.setItem(key, JSON.stringify([...new Set([...offeredTo(), userId])]))
}

function offeredTo(): readonly unknown[] {
  try {
    const ids: unknown = JSON.parse(deviceStorage.getItem(key) ?? '[]')
    return Array.isArray(ids) ? ids : []
  } catch {
    return []
  }
}
