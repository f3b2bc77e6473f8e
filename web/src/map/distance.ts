import { type Place } from './map-defaults.ts'
import { mapStrings } from './strings.ts'

const earthRadiusM = 6_371_000
const radians = Math.PI / 180
/** Streets are not straight: people walk about a quarter farther than the crow flies, at 80 metres a minute. */
const walkedMPerMinute = 80 / 1.25
/** Beyond this nobody thinks of walking. */
const longestWalkMinutes = 90

/** Along the great circle. */
export function distanceM(a: Place, b: Place): number {
  const [dLatitude, dLongitude] = [(b.latitude - a.latitude) * radians, (b.longitude - a.longitude) * radians]
  const half =
    Math.sin(dLatitude / 2) ** 2 +
    Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * Math.sin(dLongitude / 2) ** 2
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(half)))
}

/** `850 m away, 14 min walk`, `12 km away`. In miles where the reader's locale measures so. */
export function distanceText(metres: number, locale: string = globalThis.navigator?.language ?? 'en'): string {
  const minutes = Math.max(1, Math.round(metres / walkedMPerMinute))
  const distance = isInMiles(locale) ? imperial(metres, locale) : metric(metres, locale)
  return minutes <= longestWalkMinutes ? mapStrings.away(distance, minutes) : mapStrings.awayFar(distance)
}

function metric(metres: number, locale: string): string {
  if (metres < 995) return withUnit(Math.max(10, Math.round(metres / 10) * 10), 'meter', locale)
  return withUnit(metres / 1000, 'kilometer', locale)
}

function imperial(metres: number, locale: string): string {
  const miles = metres / 1609.344
  if (miles >= 0.1) return withUnit(miles, 'mile', locale)
  return withUnit(Math.max(10, Math.round((metres * 3.2808) / 10) * 10), 'foot', locale)
}

function withUnit(value: number, unit: string, locale: string): string {
  const maximumFractionDigits = value < 10 ? 1 : 0
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits }).format(
    value,
  )
}

function isInMiles(locale: string): boolean {
  return /-(US|GB|LR|MM)\b/i.test(locale)
}
