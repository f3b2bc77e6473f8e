import * as contract from '@hither/contract/diagnostics.ts'
import { type Routes } from '../platform/http.ts'
import { type DiagnosticsDeps, diagnose, sendTestMail } from './diagnostics.service.ts'

export function addDiagnosticsRoutes(routes: Routes, deps: DiagnosticsDeps): void {
  routes.add(contract.diagnose, ({ caller, reachedAt, arrival }) =>
    diagnose(deps, caller.userId, { reachedAt, arrival }),
  )
  routes.add(contract.sendTestMail, ({ caller }) => sendTestMail(deps, caller.userId))
}
