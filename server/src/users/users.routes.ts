import * as contract from '@hither/contract/users.ts'
import { type AuthDeps } from '../auth/auth.service.ts'
import { type Routes } from '../platform/http.ts'
import { deleteAccount, exportAccount } from './account.service.ts'
import { getOwnUser, getUser, lookUpUser, type UsersDeps, updateUser } from './users.service.ts'

export function addUserRoutes(routes: Routes, deps: UsersDeps & Pick<AuthDeps, 'identityTokens'>): void {
  routes.add(contract.getMe, ({ caller }) => getOwnUser(deps.pool, caller.userId))
  routes.add(contract.lookupUser, ({ caller, params }) => lookUpUser(deps.pool, caller.userId, params.username))
  routes.add(contract.getUser, ({ caller, params }) => getUser(deps, caller.userId, params.id))
  routes.add(contract.updateUser, ({ caller, params, body }) => updateUser(deps, caller.userId, params.id, body))
  routes.add(contract.exportAccount, ({ caller }) => exportAccount(deps, caller.userId))
  routes.add(contract.deleteAccount, async ({ caller, body }) => {
    await deleteAccount(deps, caller.userId, body)
    return null
  })
}
