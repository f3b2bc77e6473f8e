import { type Static, Type } from 'typebox'
import { FriendCode, FriendLinkResult } from '../friend-links.ts'
import { SessionId } from '../ids.ts'
import type { Operation } from '../operation.ts'
import * as runtime from '../runtime/auth/auth.ts'
import { userLimits } from '../runtime/users.ts'
import { User } from '../users.ts'
import { NoContent, nullable, oneOf, page, Timestamp, text } from '../values.ts'
import { IdToken, identityProof, Nonce } from './identity-proof.ts'

export const AuthSession = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.String(),
  expires_in: Type.Integer({ description: 'Number of seconds until the access token expires' }),
  expires_at: Type.Integer({ description: 'The expiry time in Unix seconds' }),
  token_type: Type.Literal('bearer'),
  user: User,
  friend_link: Type.Optional(FriendLinkResult),
})
export type AuthSession = Static<typeof AuthSession>

/** The reply to a sign-up on a server that confirms e-mail addresses. It carries no tokens yet. */
export const ConfirmationRequired = Type.Object({
  requires_confirmation: Type.Literal(true),
  email: Type.String(),
  message: Type.String(),
  signup_secret: Type.String({
    description: 'Proves to `POST /auth/confirm` that the same browser signed up. Store it until then.',
  }),
})
export type ConfirmationRequired = Static<typeof ConfirmationRequired>

/** The account that a confirmation link is for. */
export const PendingConfirmation = Type.Object({
  email: Type.String(),
  username: Type.String(),
  needs_password: Type.Boolean({
    description: 'Whether the password is also required, because the link and the given secret are not enough',
  }),
})
export type PendingConfirmation = Static<typeof PendingConfirmation>

/** A reply that does not reveal whether the address is known. */
export const Notice = Type.Object({ message: Type.String() })
export type Notice = Static<typeof Notice>

/** How a session was opened. `confirmation`: with the link of a confirmation mail. */
export const SignInMethod = oneOf(['password', 'passkey', 'google', 'oidc', 'confirmation'])
export type SignInMethod = Static<typeof SignInMethod>

/** A signed-in device of the caller. */
export const Session = Type.Object({
  id: SessionId,
  created_at: Timestamp,
  last_used_at: Timestamp,
  device: nullable(Type.String({ description: 'A readable name such as "Firefox on Windows"; null if unknown' })),
  is_current: Type.Boolean(),
  method: Type.Optional(SignInMethod),
})
export type Session = Static<typeof Session>

export const SignInMethods = Type.Object({
  password: Type.Boolean(),
  google: Type.Boolean(),
  oidc: Type.Boolean(),
  passkeys: Type.Integer({ description: 'The number of passkeys' }),
  recovery_codes: Type.Integer({ description: 'The number of recovery codes that were not used yet' }),
})
export type SignInMethods = Static<typeof SignInMethods>

const Email = Type.String({ maxLength: runtime.authLimits.emailMax, format: 'email' })
const Password = text({ maxLength: runtime.authLimits.passwordMax })
const NewPassword = text({ minLength: runtime.authLimits.passwordMin, maxLength: runtime.authLimits.passwordMax })
const Token = text({ minLength: 1, maxLength: 4096 })

/**
 * Random text that a device generates once and stores. A device that has signed in to an account before is exempt from
 * the delays that password guesses against the account cause. The secret authenticates nobody.
 */
const DeviceSecret = Type.Optional(text({ minLength: 32, maxLength: 128 }))

/** The `signup_secret` that the sign-up returned to the browser. */
const SignupSecret = Type.Optional(text({ minLength: 1, maxLength: 256 }))

/** The code of an invitation link. It is required in the registration mode `invite`. */
export const InvitationCode = Type.Optional(text({ minLength: 1, maxLength: 100 }))

const minute = 60
const hour = 3600
/** Limits mails to one address, so that nobody can flood another person's mailbox. */
const mailLimits = [
  { by: 'address', max: 30, seconds: hour },
  { by: 'email', max: 5, seconds: hour },
] as const
/** Limits password guesses against one account from unknown devices, independent of their network addresses. */
export const accountGuessLimit = { max: 10, seconds: 30 * minute } as const
/** Limits guesses of the caller's own password by somebody who has their device. */
export const ownPasswordLimit = { max: 10, seconds: 15 * minute } as const

/** The caller's password. It replaces a recent sign-in. */
export const OwnPassword = Type.Optional(text({ maxLength: runtime.authLimits.passwordMax }))
/** Limits changes to how an account can be entered. */
export const signInChangeLimits = [{ by: 'person', max: 20, seconds: hour }] as const

export const signup = {
  address: 'POST /auth/signup',
  auth: 'none',
  tag: 'auth',
  summary: 'Create an account',
  body: Type.Object({
    email: Email,
    password: NewPassword,
    username: text({
      minLength: userLimits.usernameMin,
      maxLength: userLimits.usernameMax,
      pattern: userLimits.usernamePattern,
    }),
    invitation: InvitationCode,
    friend_code: Type.Optional(FriendCode),
    device_secret: DeviceSecret,
  }),
  replies: { 201: Type.Union([AuthSession, ConfirmationRequired]) },
  refusals: [
    'username_taken',
    'email_registered',
    'registration_closed',
    'invitation_required',
    'invitation_invalid',
    'signup_not_admitted',
  ],
  rateLimits: [
    { by: 'address', max: 30, seconds: hour },
    { by: 'email', max: 10, seconds: hour },
  ],
} as const satisfies Operation

export const login = {
  address: 'POST /auth/login',
  auth: 'none',
  tag: 'auth',
  summary: 'Sign in with email and password',
  body: Type.Object({
    email: text({ maxLength: runtime.authLimits.emailMax }),
    password: Password,
    device_secret: DeviceSecret,
  }),
  replies: { 200: AuthSession },
  refusals: ['invalid_credentials', 'email_unconfirmed', 'account_suspended'],
  rateLimits: [
    { by: 'address', max: 60, seconds: 10 * minute },
    { by: 'email_and_address', max: 10, seconds: 10 * minute },
  ],
} as const satisfies Operation

export const google = {
  address: 'POST /auth/google',
  auth: 'none',
  tag: 'auth',
  summary: 'Sign in with an identity token',
  body: Type.Object({
    id_token: IdToken,
    nonce: Nonce,
    invitation: InvitationCode,
    friend_code: Type.Optional(FriendCode),
    device_secret: DeviceSecret,
  }),
  replies: { 200: AuthSession, 201: AuthSession },
  refusals: [
    'invalid_identity_token',
    'google_not_configured',
    'identity_provider_unreachable',
    'account_suspended',
    'registration_closed',
    'invitation_required',
    'invitation_invalid',
    'signup_not_admitted',
  ],
  rateLimits: [{ by: 'address', max: 60, seconds: 10 * minute }],
} as const satisfies Operation

export const refresh = {
  address: 'POST /auth/refresh',
  auth: 'none',
  tag: 'auth',
  summary: 'Exchange a refresh token for new tokens',
  body: Type.Object({ refresh_token: Token }),
  replies: { 200: AuthSession },
  refusals: ['invalid_refresh_token'],
  rateLimits: [{ by: 'address', max: 300, seconds: 10 * minute }],
} as const satisfies Operation

export const logout = {
  address: 'POST /auth/logout',
  auth: 'none',
  tag: 'auth',
  summary: 'Sign out; the response is the same for every token',
  body: Type.Object({ access_token: text({ maxLength: 4096 }) }),
  replies: { 204: NoContent },
} as const satisfies Operation

export const confirm = {
  address: 'POST /auth/confirm',
  auth: 'none',
  tag: 'auth',
  summary:
    'Confirm an email address with the token from the email and proof of the sign-up (browser secret or password), and sign in',
  body: Type.Object({
    token: Token,
    password: Type.Optional(Password),
    signup_secret: SignupSecret,
    device_secret: DeviceSecret,
  }),
  replies: { 200: AuthSession },
  refusals: [
    'confirmation_invalid',
    'signup_unproven',
    'account_suspended',
    'registration_closed',
    'invitation_required',
    'invitation_invalid',
    'signup_not_admitted',
  ],
  rateLimits: [{ by: 'address', max: 60, seconds: 10 * minute }],
} as const satisfies Operation

export const getPendingConfirmation = {
  address: 'POST /auth/pending-confirmation',
  auth: 'none',
  tag: 'auth',
  summary: 'Get the account of a confirmation link; changes nothing',
  body: Type.Object({ token: Token, signup_secret: SignupSecret }),
  replies: { 200: PendingConfirmation },
  refusals: ['confirmation_invalid'],
  rateLimits: [{ by: 'address', max: 60, seconds: 10 * minute }],
} as const satisfies Operation

export const resendConfirmation = {
  address: 'POST /auth/resend-confirmation',
  auth: 'none',
  tag: 'auth',
  summary: 'Resend the confirmation email; the response is the same whether or not the address is known',
  body: Type.Object({ email: Email }),
  replies: { 200: Notice },
  rateLimits: mailLimits,
} as const satisfies Operation

export const forgotPassword = {
  address: 'POST /auth/forgot-password',
  auth: 'none',
  tag: 'auth',
  summary: 'Request a password reset email; the response is the same whether or not the address is known',
  body: Type.Object({ email: Email }),
  replies: { 200: Notice },
  refusals: ['mail_not_configured'],
  rateLimits: mailLimits,
} as const satisfies Operation

export const resetPassword = {
  address: 'POST /auth/reset-password',
  auth: 'none',
  tag: 'auth',
  summary:
    'Set a new password with the token from an email, a reset link or a recovery code, which is valid once; revokes every session and deletes the recovery codes, whose number is in the header `Recovery-Codes-Deleted`',
  body: Type.Object({ token: Token, password: NewPassword }),
  replies: { 204: NoContent },
  refusals: ['reset_invalid'],
  rateLimits: [{ by: 'address', max: 30, seconds: 10 * minute }],
} as const satisfies Operation

export const changePassword = {
  address: 'POST /auth/change-password',
  auth: 'required',
  tag: 'auth',
  summary:
    'Change the password, or set a first one with a fresh identity token; revokes all other sessions and deletes the recovery codes, whose number is in the header `Recovery-Codes-Deleted`',
  body: Type.Object({
    current_password: Type.Optional(text({ maxLength: runtime.authLimits.passwordMax })),
    new_password: NewPassword,
    ...identityProof,
  }),
  replies: { 204: NoContent },
  refusals: [
    'wrong_password',
    'identity_required',
    'recent_sign_in_required',
    'invalid_identity_token',
    'identity_provider_unreachable',
  ],
  rateLimits: [{ by: 'person', ...ownPasswordLimit }],
} as const satisfies Operation

export const getSignInMethods = {
  address: 'GET /auth/methods',
  auth: 'required',
  tag: 'auth',
  summary: 'Get how the caller can sign in: with a password, with passkeys, with identity providers',
  replies: { 200: SignInMethods },
} as const satisfies Operation

export const listSessions = {
  address: 'GET /auth/sessions',
  auth: 'required',
  tag: 'auth',
  summary: "List the caller's signed-in devices, most recently used first",
  query: page(SessionId),
  replies: { 200: Type.Array(Session) },
} as const satisfies Operation

export const endSession = {
  address: 'DELETE /auth/sessions/:id',
  auth: 'required',
  tag: 'auth',
  summary: "Sign out one of the caller's devices",
  params: Type.Object({ id: SessionId }),
  replies: { 204: NoContent },
  refusals: ['session_not_found'],
} as const satisfies Operation

export const endOtherSessions = {
  address: 'DELETE /auth/sessions',
  auth: 'required',
  tag: 'auth',
  summary: "Sign out all of the caller's other devices",
  replies: { 204: NoContent },
} as const satisfies Operation
