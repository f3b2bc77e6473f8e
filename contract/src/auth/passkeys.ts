import { type Static, Type } from 'typebox'
import { PasskeyId } from '../ids.ts'
import type { Operation } from '../operation.ts'
import * as runtime from '../runtime/auth/passkeys.ts'
import { NoContent, nullable, oneOf, Timestamp, text } from '../values.ts'
import { AuthSession, OwnPassword, signInChangeLimits } from './auth.ts'

/** A passkey of the caller. */
export const Passkey = Type.Object({
  id: PasskeyId,
  name: Type.String(),
  created_at: Timestamp,
  last_used_at: nullable(Timestamp),
  backed_up: Type.Boolean({ description: 'Whether the passkey is stored with an account such as that of the phone' }),
})
export type Passkey = Static<typeof Passkey>

const CredentialType = Type.Literal('public-key')
const Transport = oneOf(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])
export type PasskeyTransport = Static<typeof Transport>

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn, Level 3. */
export const PasskeyCreationOptions = Type.Object({
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  challenge: Type.String(),
  pubKeyCredParams: Type.Array(Type.Object({ type: CredentialType, alg: Type.Integer() }), { maxItems: 10 }),
  timeout: Type.Integer(),
  excludeCredentials: Type.Array(
    Type.Object({ id: Type.String(), type: CredentialType, transports: Type.Array(Transport, { maxItems: 10 }) }),
    { maxItems: runtime.passkeyLimits.perUser },
  ),
  authenticatorSelection: Type.Object({
    residentKey: Type.Literal('required'),
    requireResidentKey: Type.Literal(true),
    userVerification: Type.Literal('required'),
  }),
  attestation: Type.Literal('none'),
  extensions: Type.Object({ credProps: Type.Boolean() }),
})
export type PasskeyCreationOptions = Static<typeof PasskeyCreationOptions>

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn, Level 3. */
export const PasskeyRequestOptions = Type.Object({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer(),
  allowCredentials: Type.Array(Type.Object({ id: Type.String(), type: CredentialType }), {
    maxItems: runtime.passkeyLimits.perUser,
    description: 'Always empty: the device offers its passkeys for this server',
  }),
  userVerification: Type.Literal('required'),
})
export type PasskeyRequestOptions = Static<typeof PasskeyRequestOptions>

// The server verifies the contents. A field that is not listed is not read.
const binary = (maxLength: number) => text({ minLength: 1, maxLength })
const CredentialId = binary(1400)
const ClientData = binary(8192)

/** `RegistrationResponseJSON` of WebAuthn, Level 3. */
export const PasskeyRegistration = Type.Object({
  id: CredentialId,
  rawId: CredentialId,
  type: text({ maxLength: 32 }),
  response: Type.Object({
    clientDataJSON: ClientData,
    attestationObject: binary(16_384),
    transports: Type.Optional(Type.Array(text({ maxLength: 32 }), { maxItems: 10 })),
  }),
})
export type PasskeyRegistration = Static<typeof PasskeyRegistration>

/** `AuthenticationResponseJSON` of WebAuthn, Level 3. */
export const PasskeyAssertion = Type.Object({
  id: CredentialId,
  rawId: CredentialId,
  type: text({ maxLength: 32 }),
  response: Type.Object({
    clientDataJSON: ClientData,
    authenticatorData: binary(4096),
    signature: binary(4096),
    userHandle: Type.Optional(nullable(text({ maxLength: 128 }))),
  }),
})
export type PasskeyAssertion = Static<typeof PasskeyAssertion>

const PasskeyParam = Type.Object({ id: PasskeyId })
const Name = text({ minLength: 1, maxLength: runtime.passkeyLimits.nameMax })
const minute = 60
const optionLimits = [{ by: 'address', max: 30, seconds: minute }] as const

export const createPasskeyOptions = {
  address: 'POST /auth/passkeys/options',
  auth: 'required',
  tag: 'auth',
  summary: 'Get the options for `navigator.credentials.create`; needs a recent sign-in or the password',
  body: Type.Object({ password: OwnPassword }),
  isBodyOptional: true,
  replies: { 200: PasskeyCreationOptions },
  refusals: ['passkeys_not_available', 'recent_sign_in_required', 'wrong_password', 'too_many_passkeys'],
  rateLimits: optionLimits,
} as const satisfies Operation

export const createPasskey = {
  address: 'POST /auth/passkeys',
  auth: 'required',
  tag: 'auth',
  summary: 'Add a passkey to the account of the caller, within five minutes of its options',
  body: Type.Object({ response: PasskeyRegistration, name: Type.Optional(Name) }),
  replies: { 201: Passkey },
  refusals: ['passkeys_not_available', 'passkey_invalid', 'too_many_passkeys'],
  rateLimits: signInChangeLimits,
} as const satisfies Operation

export const listPasskeys = {
  address: 'GET /auth/passkeys',
  auth: 'required',
  tag: 'auth',
  summary: 'List the passkeys of the caller, newest first',
  replies: { 200: Type.Array(Passkey, { maxItems: runtime.passkeyLimits.perUser }) },
} as const satisfies Operation

export const renamePasskey = {
  address: 'PATCH /auth/passkeys/:id',
  auth: 'required',
  tag: 'auth',
  summary: 'Rename a passkey of the caller',
  params: PasskeyParam,
  body: Type.Object({ name: Name }),
  replies: { 200: Passkey },
  refusals: ['passkey_not_found'],
  rateLimits: signInChangeLimits,
} as const satisfies Operation

export const deletePasskey = {
  address: 'DELETE /auth/passkeys/:id',
  auth: 'required',
  tag: 'auth',
  summary: 'Remove a passkey of the caller; needs a recent sign-in or the password',
  params: PasskeyParam,
  body: Type.Object({ password: OwnPassword }),
  replies: { 204: NoContent },
  refusals: ['passkey_not_found', 'recent_sign_in_required', 'wrong_password', 'last_sign_in_method'],
  rateLimits: signInChangeLimits,
} as const satisfies Operation

export const createPasskeySignInOptions = {
  address: 'POST /auth/passkey/options',
  auth: 'none',
  tag: 'auth',
  summary: 'Get the options for `navigator.credentials.get`',
  replies: { 200: PasskeyRequestOptions },
  refusals: ['passkeys_not_available'],
  rateLimits: optionLimits,
} as const satisfies Operation

export const signInWithPasskey = {
  address: 'POST /auth/passkey',
  auth: 'none',
  tag: 'auth',
  summary: 'Sign in with a passkey; every fault gets the same refusal',
  body: Type.Object({ response: PasskeyAssertion }),
  replies: { 200: AuthSession },
  refusals: ['passkeys_not_available', 'passkey_invalid', 'account_suspended'],
  rateLimits: [{ by: 'address', max: 30, seconds: 15 * minute }],
} as const satisfies Operation
