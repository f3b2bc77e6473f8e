import * as contract from '@hither/contract/auth.ts'
import { type Routes } from '../platform/http.ts'
import { Refusal } from '../platform/refusal.ts'
import { type AuthDeps, refreshSession, signIn, signOut, signUp } from './auth.service.ts'

export function addAuthRoutes(routes: Routes, deps: AuthDeps): void {
  routes.add(contract.signup, ({ body }) => signUp(deps, body))
  routes.add(contract.login, ({ body }) => signIn(deps, body))
  routes.add(contract.google, async () => {
    throw new Refusal('google_not_configured')
  })
  routes.add(contract.refresh, ({ body }) => refreshSession(deps, body.refresh_token))
  routes.add(contract.logout, async ({ body }) => {
    await signOut(deps, body.access_token)
    return null
  })
}
