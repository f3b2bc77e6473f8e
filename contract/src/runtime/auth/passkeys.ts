import type { Address } from '../../operation.ts'

export const passkeyLimits = {
  perUser: 20,
  nameMax: 60,
  challengeMinutes: 5,
} as const

/** The name of a passkey whose device is unknown. */
export const defaultPasskeyName = 'Passkey'

export const createPasskeyOptions = {
  method: 'POST',
  path: '/auth/passkeys/options',
  auth: 'required',
} as const satisfies Address

export const createPasskey = {
  method: 'POST',
  path: '/auth/passkeys',
  auth: 'required',
} as const satisfies Address

export const listPasskeys = {
  method: 'GET',
  path: '/auth/passkeys',
  auth: 'required',
} as const satisfies Address

export const renamePasskey = {
  method: 'PATCH',
  path: '/auth/passkeys/:id',
  auth: 'required',
} as const satisfies Address

export const deletePasskey = {
  method: 'DELETE',
  path: '/auth/passkeys/:id',
  auth: 'required',
} as const satisfies Address

export const createPasskeySignInOptions = {
  method: 'POST',
  path: '/auth/passkey/options',
  auth: 'none',
} as const satisfies Address

export const signInWithPasskey = {
  method: 'POST',
  path: '/auth/passkey',
  auth: 'none',
} as const satisfies Address
