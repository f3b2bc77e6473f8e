import type { UserId } from '@hither/contract/ids.ts'
import { deviceStorage } from '../../device/storage.ts'

const key = 'hidden_banner'

/** Returns whether this person has hidden a banner with this text on this device. */
export function isBannerHidden(userId: UserId, text: string): boolean {
  return deviceStorage.getItem(key) === `${userId} ${text}`
}

export function hideBanner(userId: UserId, text: string): void {
  deviceStorage.setItem(key, `${userId} ${text}`)
}
