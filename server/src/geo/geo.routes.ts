import * as contract from '@hither/contract/geo.ts'
import { createLimiterPerUser } from '../platform/async/limiter-per-user.ts'
import type { Routes } from '../platform/http/routes.ts'
import type { createAreas } from './areas.ts'
import type { Geo } from './geo.service.ts'

/** One user has few places in the queue of the geocoder, so that the requests of others are not refused. */
const limits = { atOnce: 4, waiting: 20 }

export function addGeoRoutes(routes: Routes, geo: Geo, findArea: ReturnType<typeof createAreas>): void {
  const limiter = createLimiterPerUser(limits)
  routes.add(contract.findAddress, ({ caller, query }) =>
    limiter.run(caller.userId, () => geo.findAddress(query.lat, query.lng)),
  )
  routes.add(contract.findArea, ({ query }) => findArea(query.lat, query.lng, query.area_km))
  routes.add(contract.searchPlaces, ({ caller, query: { q, lat, lng } }) => {
    const near = lat === undefined || lng === undefined ? null : { latitude: lat, longitude: lng }
    return limiter.run(caller.userId, () => geo.search(q, near))
  })
}
