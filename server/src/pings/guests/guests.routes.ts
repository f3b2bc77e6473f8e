import * as contract from '@hither/contract/guests.ts'
import { Answer, type Routes } from '../../platform/http/routes.ts'
import { claimGuest } from './guest-accounts.service.ts'
import { approveGuest, removeGuest } from './guest-owner.service.ts'
import { changeGuest, createGuest, type GuestsDeps, getGuest, withdrawGuest } from './guests.service.ts'

export function addGuestRoutes(routes: Routes, deps: GuestsDeps): void {
  routes.add(contract.createGuest, async ({ params, body }) => {
    const { view, isNew } = await createGuest(deps, params.id, body)
    return new Answer(isNew ? 201 : 200, view)
  })
  routes.add(contract.getGuest, ({ params, guestToken }) => getGuest(deps, params.id, guestToken))
  routes.add(contract.changeGuest, ({ params, guestToken, body }) => changeGuest(deps, params.id, guestToken, body))
  routes.add(contract.withdrawGuest, async ({ params, guestToken }) => {
    await withdrawGuest(deps, params.id, guestToken)
    return null
  })
  routes.add(contract.claimGuest, ({ caller, params, body }) => claimGuest(deps, caller.userId, params.id, body.token))
  routes.add(contract.approveGuest, ({ caller, params }) =>
    approveGuest(deps, caller.userId, params.id, params.guestId),
  )
  routes.add(contract.removeGuest, async ({ caller, params }) => {
    await removeGuest(deps, caller.userId, params.id, params.guestId)
    return null
  })
}
