import { isRightToLeft } from '../../i18n/language.ts'
import type { Place } from '../map-defaults.ts'

const degrees = /^\s*([+-]?\d{1,3}(?:\.\d+)?)\s*°?\s*([NS])?\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)\s*°?\s*([EW])?\s*$/i

/**
 * Parses latitude and longitude as people type or paste them: `40.7589, -73.9851` or `40.7589° N 73.9851° W`. Returns
 * null for other texts.
 */
export function coordinatesIn(text: string): Place | null {
  const match = degrees.exec(text)
  if (match === null) return null
  const latitude = Number(match[1]) * (match[2]?.toUpperCase() === 'S' ? -1 : 1)
  const longitude = Number(match[3]) * (match[4]?.toUpperCase() === 'W' ? -1 : 1)
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}

/** Formats the coordinates of a place as people type them. */
export function plainCoordinates({ latitude, longitude }: Place): string {
  return `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`
}

/** Formats the coordinates of a place without a name for the screen. They are read from left to right in every language (Unicode UAX 9). */
export function coordinatesText(place: Place): string {
  return isRightToLeft ? `\u2066${plainCoordinates(place)}\u2069` : plainCoordinates(place)
}

/** The longitude exceeds 180° if the map was moved around the world. */
export function placeOf({ lat, lng }: { lat: number; lng: number }): Place {
  const longitude = ((((lng + 180) % 360) + 360) % 360) - 180
  return { latitude: round(lat), longitude: round(longitude) }
}

/** Rounds to about 0.1 m. */
function round(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}
