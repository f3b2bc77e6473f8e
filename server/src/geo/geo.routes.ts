import * as contract from '@hither/contract/geo.ts'
import type { Input } from '@hither/contract/operation.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Routes } from '../platform/http/routes.ts'
import type { createAreas } from './areas.ts'
import type { Geo } from './geo.service.ts'

export function addGeoRoutes(routes: Routes, geo: Geo, findArea: ReturnType<typeof createAreas>): void {
  const search = ({ userId }: Caller, { q, lat, lng }: Input<typeof contract.searchPlaces>['body']) => {
    const near = lat === undefined || lng === undefined ? null : { latitude: lat, longitude: lng }
    return geo.search(userId, q, near)
  }
  routes.add(contract.findAddress, ({ caller, body }) => geo.findAddress(caller.userId, body.lat, body.lng))
  routes.add(contract.findArea, ({ body }) => findArea(body.lat, body.lng, body.area_km))
  routes.add(contract.searchPlaces, ({ caller, body }) => search(caller, body))
  routes.add(contract.findAddressInAddress, ({ caller, query }) => geo.findAddress(caller.userId, query.lat, query.lng))
  routes.add(contract.findAreaInAddress, ({ query }) => findArea(query.lat, query.lng, query.area_km))
  routes.add(contract.searchPlacesInAddress, ({ caller, query }) => search(caller, query))
}
