import { type Static, Type } from 'typebox'
import { FriendCode } from '../friend-links.ts'
import type { Operation } from '../operation.ts'
import * as runtime from '../runtime/auth/oidc.ts'
import { NoContent, nullable, oneOf, Timestamp, text } from '../values.ts'
import { AuthSession, InvitationCode, OwnPassword, signInChangeLimits } from './auth.ts'

/** `oidc` is the provider named by `OIDC_ISSUER`. */
export const IdentityKind = oneOf(['google', 'oidc'])
export type IdentityKind = Static<typeof IdentityKind>

/** A link between the caller's account and a user of a provider. */
export const LinkedIdentity = Type.Object({
  kind: IdentityKind,
  name: Type.String({ description: 'The name of the provider' }),
  email: nullable(Type.String({ description: 'The address that the provider stated; null if none was stored' })),
  created_at: Timestamp,
})
export type LinkedIdentity = Static<typeof LinkedIdentity>

const secretPattern = `^[A-Za-z0-9_-]{${runtime.oidcLimits.secretLength}}$`
const Secret = text({ maxLength: runtime.oidcLimits.secretLength, pattern: secretPattern })
const Code = text({ minLength: 1, maxLength: 256 })
/** A rule of the server checks the form: a malformed verifier gets the refusal of a wrong one. */
const Verifier = text({ minLength: 1, maxLength: 256 })

const minute = 60
const quarterHour = 15 * minute

export const startOidc = {
  address: 'POST /auth/oidc/start',
  auth: 'optional',
  tag: 'auth',
  summary:
    'Start a sign-in with the provider, or the link of one to the account of the caller, and get the address to open; the client stores the verifier until the answer arrives',
  body: Type.Object({
    /** The SHA-256 of the verifier, in base64url. */
    challenge: Secret,
    /** A path of the web app. Everything else counts as `/`. The answer repeats it as `return_to` in the fragment unless it is `/`. */
    return_to: Type.Optional(text({ maxLength: runtime.oidcLimits.returnToMax })),
    /** `link` needs a signed-in caller with a recent sign-in. */
    intent: Type.Optional(oneOf(['sign_in', 'link'])),
    /** With `app` the answer leads to `hither://signed-in`. */
    client: Type.Optional(oneOf(['web', 'app'])),
    password: OwnPassword,
  }),
  replies: { 200: Type.Object({ url: Type.String() }) },
  refusals: [
    'oidc_not_configured',
    'sign_in_provider_unreachable',
    'authentication_required',
    'recent_sign_in_required',
    'wrong_password',
  ],
  rateLimits: [{ by: 'address', max: 30, seconds: minute }],
} as const satisfies Operation

/**
 * Leads to `/signed-in#code=…`, followed by `&return_to=…` unless that is `/`, or to `/login#error=<code>`. The code is one of
 * `sign_in_denied`, `sign_in_attempt_invalid`, `sign_in_provider_unreachable`. For `client: app` both lead to `hither://signed-in`,
 * with the same fragments. A person sees the answer, so that every other failure, too many calls included, leads to
 * `/login#error=sign_in_attempt_invalid`.
 */
export const receiveOidcCallback = {
  address: 'GET /auth/oidc/callback',
  auth: 'none',
  tag: 'auth',
  summary: 'Receive the answer of the provider in the browser; changes no account and signs nobody in',
  replies: { 302: NoContent },
  rateLimits: [{ by: 'address', max: 30, seconds: quarterHour }],
} as const satisfies Operation

export const finishOidc = {
  address: 'POST /auth/oidc/finish',
  auth: 'none',
  tag: 'auth',
  summary: 'Finish a sign-in with the provider, by the code of the answer and the verifier of the same browser',
  body: Type.Object({
    code: Code,
    verifier: Verifier,
    invitation: InvitationCode,
    friend_code: Type.Optional(FriendCode),
  }),
  replies: { 200: AuthSession, 201: AuthSession },
  refusals: [
    'oidc_not_configured',
    'sign_in_attempt_invalid',
    'identity_email_unverified',
    'identity_link_needed',
    'account_suspended',
    'registration_closed',
    'invitation_required',
    'invitation_invalid',
    'signup_not_admitted',
  ],
  rateLimits: [{ by: 'address', max: 30, seconds: quarterHour }],
} as const satisfies Operation

export const linkOidc = {
  address: 'POST /auth/oidc/link',
  auth: 'required',
  tag: 'auth',
  summary: 'Link the user of the provider to the account that started the link; idempotent for the same user',
  body: Type.Object({ code: Code, verifier: Verifier }),
  replies: { 204: NoContent },
  refusals: ['oidc_not_configured', 'sign_in_attempt_invalid', 'identity_in_use'],
  rateLimits: signInChangeLimits,
} as const satisfies Operation

export const listIdentities = {
  address: 'GET /auth/identities',
  auth: 'required',
  tag: 'auth',
  summary: 'List the providers that are linked to the account of the caller',
  replies: { 200: Type.Array(LinkedIdentity, { maxItems: 2 }) },
} as const satisfies Operation

export const unlinkIdentity = {
  address: 'DELETE /auth/identities/:kind',
  auth: 'required',
  tag: 'auth',
  summary: 'Unlink a provider from the account of the caller; idempotent',
  params: Type.Object({ kind: IdentityKind }),
  body: Type.Object({ password: OwnPassword }),
  replies: { 204: NoContent },
  refusals: ['recent_sign_in_required', 'wrong_password', 'last_sign_in_method'],
  rateLimits: signInChangeLimits,
} as const satisfies Operation
