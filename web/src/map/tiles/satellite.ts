import { deviceStorage } from '../../device/storage.ts'

const key = 'map_satellite'

/** Whether the user of this browser has chosen satellite imagery. */
export function readSatelliteChoice(): boolean {
  return deviceStorage.getItem(key) === 'true'
}

export function storeSatelliteChoice(isOn: boolean): void {
  deviceStorage.setItem(key, String(isOn))
}
