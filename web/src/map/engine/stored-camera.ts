import { deviceStorage } from '../../device/storage.ts'
import { type Place, startPlace, zooms } from '../map-defaults.ts'

export interface Camera extends Place {
  zoom: number
}

interface StoredCamera extends Camera {
  /** The time of the last movement, in Unix milliseconds of this device. */
  at: number
}

const key = 'map_camera'
const hourMs = 3_600_000

/** Used while nothing is known about the user. */
export const defaultCamera: Camera = { ...startPlace, zoom: zooms.start }

/** Returns the last camera of this account on this device; null if there is none or another account stored it. */
export function readCamera(userId: string): StoredCamera | null {
  const stored = read()
  if (stored === null || stored['user_id'] !== userId) return null
  const { latitude, longitude, zoom, at } = stored
  const numbers = [latitude, longitude, zoom, at].filter((value) => typeof value === 'number' && Number.isFinite(value))
  return numbers.length === 4 ? ({ latitude, longitude, zoom, at } as StoredCamera) : null
}

/** Never leaves the device. */
export function storeCamera(userId: string, camera: Camera, at: number): void {
  deviceStorage.setItem(key, JSON.stringify({ user_id: userId, ...camera, at }))
}

/** Removes the camera of this account, or of every other account. */
export function clearCamera(whose: { of: string } | { butOf: string }): void {
  const owner = read()?.['user_id']
  if ('of' in whose ? owner !== whose.of : owner === whose.butOf) return
  deviceStorage.removeItem(key)
}

/**
 * Returns the camera with which the map opens. The position of the device replaces a camera that was not moved for an
 * hour, because the user may have travelled since then.
 */
export function startCamera(stored: StoredCamera | null, position: Place | null, nowMs: number): Camera {
  if (position !== null && (stored === null || !isRecent(stored, nowMs))) {
    return { latitude: position.latitude, longitude: position.longitude, zoom: zooms.user }
  }
  return stored === null ? defaultCamera : { latitude: stored.latitude, longitude: stored.longitude, zoom: stored.zoom }
}

export function isRecent({ at }: StoredCamera, nowMs: number): boolean {
  return nowMs - at < hourMs
}

function read(): Record<string, unknown> | null {
  try {
    const stored: unknown = JSON.parse(deviceStorage.getItem(key) ?? 'null')
    return typeof stored === 'object' ? (stored as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}
