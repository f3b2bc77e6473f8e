const key = 'map_satellite'

/** Whether the user of this browser has chosen satellite imagery. */
export function readSatelliteChoice(): boolean {
  try {
    return localStorage.getItem(key) === 'true'
  } catch {
    return false
  }
}

export function storeSatelliteChoice(isOn: boolean): void {
  try {
    localStorage.setItem(key, String(isOn))
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}
