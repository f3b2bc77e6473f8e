import type { UserId } from '@hither/contract/ids.ts'
import { getStoredData } from '@hither/contract/stored-data.ts'
import * as contract from '@hither/contract/users.ts'
import type { Routes } from '../platform/http/routes.ts'
import { type AccountDeps, deleteAccount, type ExportDeps, exportAccount } from './account.service.ts'
import { findStoredData, type StoredDataDeps } from './stored-data.service.ts'

export function addAccountRoutes(
  routes: Routes,
  deps: AccountDeps & StoredDataDeps & Pick<ExportDeps, 'assertRoom' | 'spoolFolder'>,
): void {
  const exportDeps = { ...deps, exporting: new Set<UserId>() }
  routes.add(contract.exportAccount, ({ caller }) => exportAccount(exportDeps, caller))
  routes.add(contract.exportAccountWithPassword, ({ caller, body }) => exportAccount(exportDeps, caller, body.password))
  routes.add(getStoredData, ({ caller }) => findStoredData(deps, caller.userId))
  routes.add(contract.deleteAccount, async ({ caller, body }) => {
    await deleteAccount(deps, caller, body)
    return null
  })
}
