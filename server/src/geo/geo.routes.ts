import * as contract from '@hither/contract/geo.ts'
import { type Routes } from '../platform/http.ts'
import { type Geo } from './geo.service.ts'

export function addGeoRoutes(routes: Routes, geo: Geo): void {
  routes.add(contract.findAddress, ({ query }) => geo.findAddress(query.lat, query.lng))
  routes.add(contract.searchPlaces, ({ query: { q, lat, lng } }) =>
    geo.search(q, lat === undefined || lng === undefined ? null : { latitude: lat, longitude: lng }),
  )
}
