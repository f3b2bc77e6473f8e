import * as contract from '@hither/contract/pings.ts'
import { Answer, type Routes } from '../platform/http/routes.ts'
import { type CalendarDeps, getPingCalendar } from './calendar/calendar.service.ts'
import { cancelPing } from './changes/cancellation.service.ts'
import { editPing } from './changes/edits.service.ts'
import { invitePeople, removeInvitee } from './changes/invitees.service.ts'
import { assertOneChange, hasNewEnd } from './pings.rules.ts'
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
import { type AreaDeps, findAreaFor } from './place/place.service.ts'
import { listResponses, removeResponse, respondToPing } from './responses/responses.service.ts'

interface NamingDeps extends AreaDeps {
  /** Names a place from data of this server, without a request to another one; `null` if it knows no name. */
  readonly nameOfPlace: (latitude: number, longitude: number) => Promise<string | null>
}

export function addPingRoutes(routes: Routes, deps: PingsDeps & CalendarDeps & NamingDeps): void {
  routes.add(contract.createPing, async ({ caller, body }) => {
    // `null` asks for a ping without an address.
    const { address = await deps.nameOfPlace(body.latitude, body.longitude) } = body
    const area = await findAreaFor(deps, body)
    const { ping, isNew } = await createPing(deps, caller.userId, { ...body, address }, area)
    return new Answer(isNew ? 201 : 200, ping)
  })
  routes.add(contract.listPings, ({ caller, query }) => listPings(deps, caller.userId, query))
  routes.add(contract.listMyPings, ({ caller, query }) => listMyPings(deps, caller.userId, query))
  routes.add(contract.getPing, ({ caller, params }) => getPing(deps, caller?.userId ?? null, params.id))
  routes.add(contract.getPingCalendar, ({ caller, params, guestToken, language }) =>
    getPingCalendar(deps, { viewerId: caller?.userId ?? null, guestToken, language }, params.id),
  )
  routes.add(contract.changePing, ({ caller, params, body }) => {
    assertOneChange(body)
    const change = hasNewEnd(body) ? changePing : editPing
    return change(deps, caller.userId, params.id, body)
  })
  routes.add(contract.invitePeople, ({ caller, params, body }) => invitePeople(deps, caller.userId, params.id, body))
  routes.add(contract.removeInvitee, async ({ caller, params }) => {
    await removeInvitee(deps, caller.userId, params.id, params.userId)
    return null
  })
  routes.add(contract.cancelPing, ({ caller, params, body }) => cancelPing(deps, caller.userId, params.id, body))
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
