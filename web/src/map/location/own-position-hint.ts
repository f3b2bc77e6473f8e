const key = 'own_position_seen'

/** Whether this browser has explained once who sees the position of the device. */
export function hasSeenOwnPosition(): boolean {
  try {
    return localStorage.getItem(key) === 'true'
  } catch {
    return false
  }
}

export function noteOwnPositionSeen(): void {
  try {
    localStorage.setItem(key, 'true')
  } catch {
    // Without storage, it is explained again.
  }
}
