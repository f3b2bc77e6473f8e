const key = 'hide_location_permission_popup'

/** Whether the user has dismissed the hint that location services are off. */
export function isLocationHintHidden(): boolean {
  return read() === 'true'
}

export function hideLocationHint(): void {
  try {
    localStorage.setItem(key, 'true')
  } catch {
    // Without storage, the hint is shown again.
  }
}

function read(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}
