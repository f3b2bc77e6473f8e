import * as contract from '@hither/contract/pings.ts'
import { type Routes } from '../platform/http.ts'
import * as service from './pings.service.ts'

export function addPingRoutes(routes: Routes, deps: service.PingsDeps): void {
  routes.add(contract.createPing, ({ caller, body }) => service.createPing(deps, caller.userId, body))
  routes.add(contract.listPings, ({ caller }) => service.listPings(deps, caller.userId))
  routes.add(contract.listMyPings, ({ caller }) => service.listMyPings(deps, caller.userId))
  routes.add(contract.respondToPing, ({ caller, body }) =>
    service.respondToPing(deps, caller.userId, body.ping_id, body.response_type),
  )
  routes.add(contract.removeResponse, async ({ caller, params }) => {
    await service.removeResponse(deps, caller.userId, params.id)
    return null
  })
  routes.add(contract.deleteMyPing, async ({ caller }) => {
    await service.deleteMyPing(deps, caller.userId)
    return null
  })
  routes.add(contract.getPing, ({ caller, params }) => service.getPing(deps, caller?.userId ?? null, params.id))
  routes.add(contract.listResponses, ({ caller, params }) => service.listResponses(deps, caller.userId, params.id))
  routes.add(contract.deletePing, async ({ caller, params }) => {
    await service.deletePing(deps, caller.userId, params.id)
    return null
  })
}
