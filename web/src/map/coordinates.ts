import { type Place } from './map-defaults.ts'

const degrees = /^\s*([+-]?\d{1,3}(?:\.\d+)?)\s*°?\s*([NS])?\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)\s*°?\s*([EW])?\s*$/i

/** Latitude and longitude as people type or paste them: `40.7589, -73.9851`, `40.7589° N 73.9851° W`; else null. */
export function coordinatesIn(text: string): Place | null {
  const match = degrees.exec(text)
  if (match === null) return null
  const latitude = Number(match[1]) * (match[2]?.toUpperCase() === 'S' ? -1 : 1)
  const longitude = Number(match[3]) * (match[4]?.toUpperCase() === 'W' ? -1 : 1)
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}

/** As a place is named of which nothing else is known. */
export function coordinatesText({ latitude, longitude }: Place): string {
  return `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`
}
