/**
 * The sizes of an area by its `area_km`: the radius in meters, and the number of rows of the grid for each degree of
 * latitude. Cells are about 1.1 km and 5.6 km wide.
 */
export const areaSizes = {
  1: { radiusM: 1000, rowsPerDegree: 100 },
  5: { radiusM: 5000, rowsPerDegree: 20 },
} as const

interface Area {
  readonly latitude: number
  readonly longitude: number
  readonly radius_m: 1000 | 5000
}

/**
 * Returns the area of a place: a circle around the center of the cell of a fixed grid that contains the place. The circle
 * contains the whole cell. All places of a cell have the same area, so an area reveals nothing about a place within its cell.
 * Center in degrees with at most 6 decimals.
 */
export function areaOf(latitude: number, longitude: number, areaKm: keyof typeof areaSizes): Area {
  const { radiusM, rowsPerDegree } = areaSizes[areaKm]
  const row = Math.min(Math.floor((latitude + 90) * rowsPerDegree), 180 * rowsPerDegree - 1)
  const centerLatitude = -90 + (row + 0.5) / rowsPerDegree
  // Rows have fewer cells toward the poles, so that all cells have about the same width.
  const columns = Math.max(3, Math.round(360 * rowsPerDegree * Math.cos((centerLatitude * Math.PI) / 180)))
  const column = Math.floor(((longitude + 180) * columns) / 360) % columns
  const centerLongitude = -180 + ((column + 0.5) * 360) / columns
  return { latitude: rounded(centerLatitude), longitude: rounded(centerLongitude), radius_m: radiusM }
}

function rounded(degrees: number): number {
  // Adding zero turns -0 into 0, which formats differently.
  return Number(degrees.toFixed(6)) + 0
}
