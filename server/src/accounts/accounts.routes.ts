import * as contract from '@hither/contract/users.ts'
import type { Routes } from '../platform/http/routes.ts'
import { type AccountDeps, deleteAccount, exportAccount } from './account.service.ts'

export function addAccountRoutes(routes: Routes, deps: AccountDeps): void {
  routes.add(contract.exportAccount, ({ caller }) => exportAccount(deps, caller))
  routes.add(contract.exportAccountWithPassword, ({ caller, body }) => exportAccount(deps, caller, body.password))
  routes.add(contract.deleteAccount, async ({ caller, body }) => {
    await deleteAccount(deps, caller, body)
    return null
  })
}
