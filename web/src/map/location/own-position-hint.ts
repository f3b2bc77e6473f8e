import { deviceStorage } from '../../device/storage.ts'

const key = 'own_position_seen'

/** Whether this browser has explained once who sees the position of the device. */
export function hasSeenOwnPosition(): boolean {
  return deviceStorage.getItem(key) === 'true'
}

export function noteOwnPositionSeen(): void {
  deviceStorage.setItem(key, 'true')
}
