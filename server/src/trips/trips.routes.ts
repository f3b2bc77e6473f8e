import * as contract from '@hither/contract/trips.ts'
import type { Routes } from '../platform/http/routes.ts'
import { assertEta } from './trips.rules.ts'
import { arriveAtPing, shareTrip, stopTrip, type TripsDeps } from './trips.service.ts'

export function addTripRoutes(routes: Routes, deps: TripsDeps): void {
  routes.add(contract.shareTrip, ({ caller, params, body }) => shareTrip(deps, caller, params.id, body), {
    validate: ({ body }) => assertEta(body.eta_minutes),
  })
  routes.add(contract.arriveAtPing, ({ caller, params, body }) => arriveAtPing(deps, caller, params.id, body))
  routes.add(contract.stopTrip, async ({ caller, params }) => {
    await stopTrip(deps, caller, params.id)
    return null
  })
}
