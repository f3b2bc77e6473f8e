import { formattingLocale } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import type { Place } from '../map-defaults.ts'
import { isInMiles } from './distance-unit.ts'

const earthRadiusM = 6_371_000
const radians = Math.PI / 180
/** In metres per minute. People walk at 80 m/min, and streets are about a quarter longer than the straight line. */
const walkedMPerMinute = 80 / 1.25
/** Longer walks are not shown. */
const longestWalkMinutes = 90

/** Returns the great-circle distance in metres. */
export function distanceM(a: Place, b: Place): number {
  const [dLatitude, dLongitude] = [(b.latitude - a.latitude) * radians, (b.longitude - a.longitude) * radians]
  const half =
    Math.sin(dLatitude / 2) ** 2 +
    Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * Math.sin(dLongitude / 2) ** 2
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(half)))
}

/** For example `850 m away, 14 min walk` or `12 km away`. In miles if the user's region uses them. */
export function distanceText(metres: number, preferred: readonly string[] = globalThis.navigator?.languages): string {
  const minutes = Math.max(1, Math.round(metres / walkedMPerMinute))
  const distance = lengthText(metres, preferred)
  return minutes <= longestWalkMinutes ? t('map.away', { distance, minutes }) : t('map.awayFar', { distance })
}

/** For example `850 m`. In miles and feet if the user's region uses them. */
export function lengthText(metres: number, preferred: readonly string[] = globalThis.navigator?.languages): string {
  return isInMiles(preferred) ? imperial(metres) : metric(metres)
}

function metric(metres: number): string {
  if (metres < 995) return withUnit(Math.max(10, Math.round(metres / 10) * 10), 'meter')
  return withUnit(metres / 1000, 'kilometer')
}

function imperial(metres: number): string {
  const miles = metres / 1609.344
  if (miles >= 0.1) return withUnit(miles, 'mile')
  return withUnit(Math.max(10, Math.round((metres * 3.2808) / 10) * 10), 'foot')
}

/** For example `1.2 km`. */
export function withUnit(value: number, unit: string): string {
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: value < 10 ? 1 : 0 } as const
  return new Intl.NumberFormat(formattingLocale, style).format(value)
}
