import { withUnit } from '../location/distance.ts'
import { isInMiles } from '../location/distance-unit.ts'

const metersPerMile = 1609.344

/** The radius of an area: `1 km` or `5 km`, `0.6 mi` or `3 mi` where people use miles. */
export function areaSizeText(radiusM: number, preferred: readonly string[] = globalThis.navigator?.languages): string {
  if (!isInMiles(preferred)) return withUnit(radiusM / 1000, 'kilometer')
  const miles = radiusM / metersPerMile
  return withUnit(miles < 1 ? miles : Math.round(miles), 'mile')
}
