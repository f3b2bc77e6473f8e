import type { Place } from '../map-defaults.ts'

const earthRadiusM = 6_371_008
const equatorM = 2 * Math.PI * earthRadiusM
/** The width of the world at zoom level 0. */
const worldPx = 512
const corners = 72
const radians = Math.PI / 180
/** Maps end here, so a camera closer to a pole than this has the zoom of this latitude. */
const mapEnd = 85

/** Returns a circle as GeoJSON. Its longitudes exceed 180° where it crosses the date line. */
export function circleOf({ latitude, longitude }: Place, radiusM: number) {
  const angle = radiusM / earthRadiusM
  const [sinLatitude, cosLatitude] = [Math.sin(latitude * radians), Math.cos(latitude * radians)]
  const ring = Array.from({ length: corners + 1 }, (_, index) => {
    const bearing = ((index % corners) / corners) * 2 * Math.PI
    const sine = sinLatitude * Math.cos(angle) + cosLatitude * Math.sin(angle) * Math.cos(bearing)
    const east = Math.atan2(Math.sin(bearing) * Math.sin(angle) * cosLatitude, Math.cos(angle) - sinLatitude * sine)
    return [longitude + east / radians, Math.asin(Math.max(-1, Math.min(1, sine))) / radians]
  })
  return { type: 'Polygon' as const, coordinates: [ring] }
}

/** Returns the zoom at which a circle has this diameter on the screen. */
export function zoomOfCircle({ latitude }: Place, radiusM: number, diameterPx: number): number {
  const parallelM = equatorM * Math.cos(Math.min(Math.abs(latitude), mapEnd) * radians)
  return Math.log2((parallelM * diameterPx) / (worldPx * 2 * radiusM))
}
