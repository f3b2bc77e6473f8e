/** Where the map starts while nothing is known of the user. */
export const startPlace = { latitude: 40.7589, longitude: -73.9851 } as const

export const zooms = {
  start: 11,
  min: 1,
  max: 19,
  /** With a user location; and what a view farther out than `nearEnough` is raised to. */
  user: 15,
  nearEnough: 14,
  focusedPing: 16,
  /** From here on streets would be expected. */
  streets: 12,
  /** The imagery that comes with the product: from here on it is blurred, and from there of no use. */
  sharpImagery: 4,
  shippedImagery: 6.5,
} as const

export const loading = { delayMs: 100, retries: 3, retryMs: 2000 } as const

export const cameraMs = 180

export interface Place {
  latitude: number
  longitude: number
}
