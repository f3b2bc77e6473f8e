/** The initial centre of the map while the user's position is unknown. */
export const startPlace = { latitude: 40.7589, longitude: -73.9851 } as const

export const zooms = {
  start: 11,
  min: 1,
  max: 19,
  /** The zoom for a position of the user. A zoom below `nearEnough` is raised to it. */
  user: 15,
  nearEnough: 14,
  focusedPing: 16,
  /** The zoom for an area with a radius of 1 km. */
  area: 13,
  /** From this zoom on, users expect streets. */
  streets: 12,
  /** The limits of the included imagery: blurred above the first zoom, unusable above the second. */
  sharpImagery: 4,
  shippedImagery: 6.5,
} as const

export const loading = { delayMs: 100, retries: 3, retryMs: 2000 } as const

export const cameraMs = 180

export interface Place {
  latitude: number
  longitude: number
}
