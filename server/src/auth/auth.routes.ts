import * as contract from '@hither/contract/auth/auth.ts'
import { recoveryCodesDeletedHeader } from '@hither/contract/runtime/auth/auth.ts'
import { Answer, type Routes } from '../platform/http/routes.ts'
import { type AuthDeps, signIn, signUp } from './auth.service.ts'
import { signInWithIdentity } from './identities.service.ts'
import { changePassword, forgetPassword, resetPassword } from './passwords.service.ts'
import {
  endOtherSessions,
  endSession,
  listSessions,
  refreshSession,
  type SignInDevice,
  signOut,
} from './sessions.service.ts'
import { getSignInMethods } from './sign-in-methods.service.ts'
import { confirmAddress, getPendingConfirmation, requestSignUp, resendConfirmation } from './signups.service.ts'

export function addAuthRoutes(routes: Routes, deps: AuthDeps): void {
  routes.add(contract.signup, (ask) =>
    deps.confirmsEmail ? requestSignUp(deps, ask.body, ask.language) : signUp(deps, ask.body, deviceOf(ask)),
  )
  routes.add(contract.confirm, (ask) => confirmAddress(deps, ask.body, deviceOf(ask)))
  routes.add(contract.getPendingConfirmation, ({ body }) => getPendingConfirmation(deps, body))
  routes.add(contract.resendConfirmation, ({ body, language }) => resendConfirmation(deps, body.email, language))
  routes.add(contract.login, (ask) => signIn(deps, ask.body, deviceOf(ask)))
  routes.add(contract.google, async (ask) => {
    const { session, isNew } = await signInWithIdentity(deps, ask.body, deviceOf(ask))
    return new Answer(isNew ? 201 : 200, session)
  })
  routes.add(contract.refresh, ({ body, userAgent, language }) =>
    refreshSession(deps, body.refresh_token, { userAgent, language }),
  )
  routes.add(contract.logout, async ({ body }) => {
    await signOut(deps, body.access_token)
    return null
  })
  routes.add(contract.forgotPassword, ({ body, language }) => forgetPassword(deps, body.email, language))
  routes.add(contract.resetPassword, async ({ body, userAgent }) =>
    answerOf(await resetPassword(deps, body, userAgent)),
  )
  routes.add(contract.changePassword, async ({ caller, body, userAgent }) =>
    answerOf(await changePassword(deps, caller, body, userAgent)),
  )
  routes.add(contract.getSignInMethods, ({ caller }) => getSignInMethods(deps, caller.userId))
  routes.add(contract.listSessions, ({ caller, query }) => listSessions(deps, caller, query))
  routes.add(contract.endSession, async ({ caller, params }) => {
    await endSession(deps, caller, params.id)
    return null
  })
  routes.add(contract.endOtherSessions, async ({ caller }) => {
    await endOtherSessions(deps, caller)
    return null
  })
}

/** Says in the head of the answer, which has no body, how many unused recovery codes a new password has ended. */
function answerOf(deletedCodes: number): Answer<null> {
  return new Answer(204, null, { [recoveryCodesDeletedHeader]: String(deletedCodes) })
}

function deviceOf(ask: {
  userAgent: string
  language: SignInDevice['language']
  body: { device_secret?: string }
}): SignInDevice {
  const { userAgent, language, body } = ask
  return { userAgent, language, secret: body.device_secret }
}
