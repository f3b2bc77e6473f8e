import * as oidcContract from '@hither/contract/auth/oidc.ts'
import * as passkeyContract from '@hither/contract/auth/passkeys.ts'
import * as recoveryContract from '@hither/contract/auth/recovery.ts'
import * as eventContract from '@hither/contract/auth/security-events.ts'
import { Answer, Redirect, type Routes } from '../platform/http/routes.ts'
import type { AuthDeps } from './auth.service.ts'
import { listLinkedIdentities, unlinkIdentity } from './linked-identities.service.ts'
import { failedUrl } from './oidc/oidc.rules.ts'
import { finishOidc, linkOidc, receiveCallback, startOidc } from './oidc/oidc.service.ts'
import { createPasskeySignInOptions, signInWithPasskey } from './passkeys/passkey-sign-in.service.ts'
import {
  createPasskey,
  createPasskeyOptions,
  deletePasskey,
  listPasskeys,
  renamePasskey,
} from './passkeys/passkeys.service.ts'
import { createRecoveryCodes, getRecoveryCodes, recover } from './recovery/recovery.service.ts'
import { listSecurityEvents, markSecurityEventsSeen } from './security-events/security-events.service.ts'
import type { SignInDevice } from './sessions.service.ts'

/** Ways to sign in other than a password, and what a person sees and changes of them. */
export function addSignInMethodRoutes(routes: Routes, deps: AuthDeps): void {
  addOidc(routes, deps)
  addPasskeys(routes, deps)
  addRecovery(routes, deps)
  routes.add(eventContract.listSecurityEvents, ({ caller }) => listSecurityEvents(deps, caller))
  routes.add(eventContract.markSecurityEventsSeen, async ({ caller, body }) => {
    await markSecurityEventsSeen(deps, caller, body.up_to)
    return null
  })
}

function addOidc(routes: Routes, deps: AuthDeps): void {
  routes.add(oidcContract.startOidc, ({ caller, body }) => startOidc(deps, caller, body))
  routes.add(
    oidcContract.receiveOidcCallback,
    async ({ search }) => new Redirect(await receiveCallback(deps, search)),
    // A person sees the answer: too many calls and a database that does not respond lead to Login too.
    { whenFailed: new Redirect(failedUrl('web', 'sign_in_attempt_invalid')) },
  )
  routes.add(oidcContract.finishOidc, async (ask) => {
    const { session, isNew } = await finishOidc(deps, ask.body, deviceOf(ask))
    return new Answer(isNew ? 201 : 200, session)
  })
  routes.add(oidcContract.linkOidc, async ({ caller, body, userAgent }) => {
    await linkOidc(deps, caller, body, userAgent)
    return null
  })
  routes.add(oidcContract.listIdentities, ({ caller }) => listLinkedIdentities(deps, caller))
  routes.add(oidcContract.unlinkIdentity, async ({ caller, params, body, userAgent }) => {
    await unlinkIdentity(deps, caller, params.kind, body.password, userAgent)
    return null
  })
}

function addPasskeys(routes: Routes, deps: AuthDeps): void {
  routes.add(passkeyContract.createPasskeyOptions, ({ caller, body }) =>
    createPasskeyOptions(deps, caller, body.password),
  )
  routes.add(passkeyContract.createPasskey, ({ caller, body, userAgent }) =>
    createPasskey(deps, caller, body, userAgent),
  )
  routes.add(passkeyContract.listPasskeys, ({ caller }) => listPasskeys(deps, caller))
  routes.add(passkeyContract.renamePasskey, ({ caller, params, body }) =>
    renamePasskey(deps, caller, params.id, body.name),
  )
  routes.add(passkeyContract.deletePasskey, async ({ caller, params, body, userAgent }) => {
    await deletePasskey(deps, caller, params.id, body.password, userAgent)
    return null
  })
  routes.add(passkeyContract.createPasskeySignInOptions, () => createPasskeySignInOptions(deps))
  routes.add(passkeyContract.signInWithPasskey, (ask) => signInWithPasskey(deps, ask.body.response, deviceOf(ask)))
}

function addRecovery(routes: Routes, deps: AuthDeps): void {
  routes.add(recoveryContract.createRecoveryCodes, ({ caller, body, userAgent }) =>
    createRecoveryCodes(deps, caller, body.password, userAgent),
  )
  routes.add(recoveryContract.getRecoveryCodes, ({ caller }) => getRecoveryCodes(deps, caller))
  routes.add(recoveryContract.recover, ({ body, userAgent }) => recover(deps, body, userAgent))
}

/** The API of these sign-ins has no secret of the device: nobody guesses passwords with them. */
function deviceOf({ userAgent, language }: Omit<SignInDevice, 'secret'>): SignInDevice {
  return { userAgent, language, secret: undefined }
}
