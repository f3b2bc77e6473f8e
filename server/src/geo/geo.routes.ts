import * as contract from '@hither/contract/geo.ts'
import type { Routes } from '../platform/http/routes.ts'
import type { createAreas } from './areas.ts'
import type { Geo } from './geo.service.ts'

export function addGeoRoutes(routes: Routes, geo: Geo, findArea: ReturnType<typeof createAreas>): void {
  routes.add(contract.findAddress, ({ caller, query }) => geo.findAddress(caller.userId, query.lat, query.lng))
  routes.add(contract.findArea, ({ query }) => findArea(query.lat, query.lng, query.area_km))
  routes.add(contract.searchPlaces, ({ caller, query: { q, lat, lng } }) => {
    const near = lat === undefined || lng === undefined ? null : { latitude: lat, longitude: lng }
    return geo.search(caller.userId, q, near)
  })
}
