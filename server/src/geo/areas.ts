import type { AreaKm } from '@hither/contract/areas.ts'
import type { FoundArea } from '@hither/contract/geo.ts'
import { areaOf } from '@hither/contract/runtime/areas.ts'
import type { Places } from './places.ts'

/**
 * Returns the function that finds the area of a place with the nearest town of its center. It sends no request to a geocoder,
 * and nothing in its result depends on the place within the cell.
 */
export function createAreas({ near }: Pick<Places, 'near'>) {
  return async (latitude: number, longitude: number, areaKm: AreaKm): Promise<FoundArea> => {
    const area = areaOf(latitude, longitude, areaKm)
    return { ...area, address: await near(area.latitude, area.longitude) }
  }
}
