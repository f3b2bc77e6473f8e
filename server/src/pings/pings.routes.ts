import * as contract from '@hither/contract/pings.ts'
import { Answer, type Routes } from '../platform/http.ts'
import { type CalendarDeps, getPingCalendar } from './calendar.service.ts'
import {
  changePing,
  createPing,
  deleteMyPing,
  deletePing,
  getPing,
  listMyPings,
  listPings,
  type PingsDeps,
} from './pings.service.ts'
import { listResponses, removeResponse, respondToPing } from './responses.service.ts'

export function addPingRoutes(routes: Routes, deps: PingsDeps & CalendarDeps): void {
  routes.add(contract.createPing, async ({ caller, body }) => {
    const { ping, isNew } = await createPing(deps, caller.userId, body)
    return new Answer(isNew ? 201 : 200, ping)
  })
  routes.add(contract.listPings, ({ caller }) => listPings(deps, caller.userId))
  routes.add(contract.listMyPings, ({ caller, query }) => listMyPings(deps, caller.userId, query))
  routes.add(contract.getPing, ({ caller, params }) => getPing(deps, caller?.userId ?? null, params.id))
  routes.add(contract.getPingCalendar, ({ caller, params }) => getPingCalendar(deps, caller?.userId ?? null, params.id))
  routes.add(contract.changePing, ({ caller, params, body }) => changePing(deps, caller.userId, params.id, body))
  routes.add(contract.deleteMyPing, async ({ caller }) => {
    await deleteMyPing(deps, caller.userId)
    return null
  })
  routes.add(contract.deletePing, async ({ caller, params }) => {
    await deletePing(deps, caller.userId, params.id)
    return null
  })
  routes.add(contract.respondToPing, ({ caller, body }) => respondToPing(deps, caller.userId, body))
  routes.add(contract.removeResponse, async ({ caller, params }) => {
    await removeResponse(deps, caller.userId, params.id)
    return null
  })
  routes.add(contract.listResponses, ({ caller, params }) => listResponses(deps, caller.userId, params.id))
}
