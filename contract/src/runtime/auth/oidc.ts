import type { Address } from '../../operation.ts'

export const oidcLimits = {
  /** 32 random bytes in base64url: verifier, challenge and code. */
  secretLength: 43,
  /** How long a person may take to sign in at the provider. */
  stateMinutes: 10,
  codeSeconds: 60,
  returnToMax: 2000,
} as const

/** The path of the web app to which the provider's answer leads, with `#code=…` in the fragment. */
export const signedInPath = '/signed-in'
/** The address to which the provider's answer leads in the packaged app. */
export const appSignedInUrl = 'hither://signed-in'

export const startOidc = {
  method: 'POST',
  path: '/auth/oidc/start',
  auth: 'optional',
} as const satisfies Address

export const receiveOidcCallback = {
  method: 'GET',
  path: '/auth/oidc/callback',
  auth: 'none',
} as const satisfies Address

export const finishOidc = {
  method: 'POST',
  path: '/auth/oidc/finish',
  auth: 'none',
} as const satisfies Address

export const linkOidc = {
  method: 'POST',
  path: '/auth/oidc/link',
  auth: 'required',
} as const satisfies Address

export const listIdentities = {
  method: 'GET',
  path: '/auth/identities',
  auth: 'required',
} as const satisfies Address

export const unlinkIdentity = {
  method: 'DELETE',
  path: '/auth/identities/:kind',
  auth: 'required',
} as const satisfies Address
