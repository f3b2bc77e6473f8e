import * as contract from '@hither/contract/diagnostics.ts'
import type { Routes } from '../platform/http/routes.ts'
import { type DiagnosticsDeps, diagnose, sendTestMail } from './diagnostics.service.ts'

export function addDiagnosticsRoutes(routes: Routes, deps: DiagnosticsDeps): void {
  routes.add(contract.diagnose, ({ caller, requestOrigin, arrival }) =>
    diagnose(deps, caller.userId, { requestOrigin, arrival }),
  )
  routes.add(contract.sendTestMail, ({ caller }) => sendTestMail(deps, caller.userId))
}
