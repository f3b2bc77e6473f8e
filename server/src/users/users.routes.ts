import * as contract from '@hither/contract/users.ts'
import type { Routes } from '../platform/http/routes.ts'
import { getOwnUser, getUser, lookUpUser, type UsersDeps, updateUser } from './users.service.ts'

export function addUserRoutes(routes: Routes, deps: UsersDeps): void {
  routes.add(contract.getMe, ({ caller }) => getOwnUser(deps.pool, caller.userId))
  routes.add(contract.lookupUser, ({ caller, body }) => lookUpUser(deps.pool, caller.userId, body.username))
  routes.add(contract.lookupUserInAddress, ({ caller, params }) =>
    lookUpUser(deps.pool, caller.userId, params.username),
  )
  routes.add(contract.getUser, ({ caller, params }) => getUser(deps, caller.userId, params.id))
  routes.add(contract.updateUser, ({ caller, params, body }) => updateUser(deps, caller.userId, params.id, body))
}
