import { deviceStorage } from '../device/storage.ts'

const key = 'hide_location_permission_popup'

/** Whether the user has dismissed the hint that location services are off. */
export function isLocationHintHidden(): boolean {
  return deviceStorage.getItem(key) === 'true'
}

export function hideLocationHint(): void {
  deviceStorage.setItem(key, 'true')
}
