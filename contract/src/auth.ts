import { type Static, Type } from 'typebox'
import { IdToken, identityProof, Nonce } from './identity-proof.ts'
import { SessionId } from './ids.ts'
import { type Operation } from './operation.ts'
import { User, userLimits } from './users.ts'
import { NoContent, nullable, Timestamp, text } from './values.ts'

export const authLimits = {
  passwordMin: 6,
  /** Long enough for any passphrase; bounds the work of hashing. */
  passwordMax: 256,
  emailMax: 254,
  accessTokenSeconds: 3600,
  refreshTokenDays: 60,
  /** Two tabs may race for one refresh token for this long; reuse after that ends the session. */
  refreshGraceSeconds: 10,
  confirmationHours: 24,
  /** Wrong passwords or secrets that one confirmation link takes before it is void. */
  confirmationTries: 5,
  resetMinutes: 60,
  deviceMax: 100,
} as const

/**
 * Something before the @, a dot after it, no blanks. Whether it exists, only a mail can tell. The parts between dots
 * hold none themselves, or a long text of dots would be tried in every way there is before it is refused.
 */
export const emailPattern = '^[^\\s@\\u0000]+@[^\\s@.\\u0000]+(?:\\.[^\\s@.\\u0000]+)+$'

export const authTexts = {
  fillInAllFields: 'Please fill in all fields',
  emailInvalid: 'Please enter a valid email address',
  passwordsDiffer: 'Passwords do not match',
  passwordTooShort: 'Password must be at least 6 characters long',
  usernameTooShort: 'Username must be at least 2 characters long',
  usernameTooLong: 'Username must be 30 characters or less',
  usernameInvalid: 'Username may hold letters, digits, "_", "." and "-" only',
  sessionExpired: 'Session expired. Please login again.',
  noRefreshToken: 'No refresh token available',
  refreshFailed: 'Failed to refresh token',
  checkYourEmail: 'Please check your email and open the link in it to finish signing up.',
  confirmationResent: 'If this address is waiting to be confirmed, a new link is on its way to it.',
  passwordTooCommon: 'This password is too common. Please choose another one.',
  resetSent: 'If an account has this address, a link to set a new password is on its way to it.',
} as const

export const AuthSession = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.String(),
  expires_in: Type.Integer({ description: 'Seconds until the access token expires' }),
  expires_at: Type.Integer({ description: 'The same as Unix seconds' }),
  token_type: Type.Literal('bearer'),
  user: User,
})
export type AuthSession = Static<typeof AuthSession>

/** The answer to a sign-up on a server that confirms addresses: no tokens yet. */
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
  needs_password: Type.Boolean({ description: 'Whether the link alone, or with the given secret, is not enough' }),
})
export type PendingConfirmation = Static<typeof PendingConfirmation>

/** The same whatever became of the call. */
export const Notice = Type.Object({ message: Type.String() })
export type Notice = Static<typeof Notice>

/** A signed-in device of the caller's. */
export const Session = Type.Object({
  id: SessionId,
  created_at: Timestamp,
  last_used_at: Timestamp,
  device: nullable(Type.String({ description: 'For people, such as "Firefox on Windows"; null where unknown' })),
  is_current: Type.Boolean(),
})
export type Session = Static<typeof Session>

export const SignInMethods = Type.Object({ password: Type.Boolean(), google: Type.Boolean() })
export type SignInMethods = Static<typeof SignInMethods>

const Email = text({ maxLength: authLimits.emailMax, pattern: emailPattern })
const Password = text({ maxLength: authLimits.passwordMax })
const NewPassword = text({ minLength: authLimits.passwordMin, maxLength: authLimits.passwordMax })
const Token = text({ minLength: 1, maxLength: 4096 })

/**
 * Random text that a device makes once and keeps. A device that has signed in to an account before is spared the delays
 * that guesses at the account's password cause. It authenticates nobody.
 */
const DeviceSecret = Type.Optional(text({ minLength: 32, maxLength: 128 }))

/** As the sign-up answered it to the browser. */
const SignupSecret = Type.Optional(text({ minLength: 1, maxLength: 256 }))

/** The code of an invitation link, where signing up needs one. */
const InvitationCode = Type.Optional(text({ minLength: 1, maxLength: 100 }))

const minute = 60
const hour = 3600
/** Mails to one address are few: whoever is flooded by them did not ask for them. */
const mailLimits = [
  { by: 'address', max: 30, seconds: hour },
  { by: 'email', max: 5, seconds: hour },
] as const
/** Guesses at the password of one account from devices that never signed in to it, whatever their addresses. */
export const accountGuessLimit = { max: 10, seconds: 30 * minute } as const
/** A guess at the caller's own password, by whoever holds their device. */
const passwordGuessLimits = [{ by: 'person', max: 10, seconds: 15 * minute }] as const

export const signup = {
  method: 'POST',
  path: '/auth/signup',
  tag: 'auth',
  summary: 'Make an account',
  auth: 'none',
  body: Type.Object({
    email: Email,
    password: NewPassword,
    username: text({
      minLength: userLimits.usernameMin,
      maxLength: userLimits.usernameMax,
      pattern: userLimits.usernamePattern,
    }),
    invitation: InvitationCode,
    device_secret: DeviceSecret,
  }),
  replies: { 201: Type.Union([AuthSession, ConfirmationRequired]) },
  refusals: ['username_taken', 'email_registered', 'registration_closed', 'invitation_required', 'invitation_invalid'],
  rateLimits: [
    { by: 'address', max: 30, seconds: hour },
    { by: 'email', max: 10, seconds: hour },
  ],
} as const satisfies Operation

export const login = {
  method: 'POST',
  path: '/auth/login',
  tag: 'auth',
  summary: 'Sign in with e-mail and password',
  auth: 'none',
  body: Type.Object({
    email: text({ maxLength: authLimits.emailMax }),
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
  method: 'POST',
  path: '/auth/google',
  tag: 'auth',
  summary: 'Sign in with an identity token',
  auth: 'none',
  body: Type.Object({
    id_token: IdToken,
    nonce: Nonce,
    invitation: InvitationCode,
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
  ],
  rateLimits: [{ by: 'address', max: 60, seconds: 10 * minute }],
} as const satisfies Operation

export const refresh = {
  method: 'POST',
  path: '/auth/refresh',
  tag: 'auth',
  summary: 'Change a refresh token for a new session',
  auth: 'none',
  body: Type.Object({ refresh_token: Token }),
  replies: { 200: AuthSession },
  refusals: ['invalid_refresh_token'],
  rateLimits: [{ by: 'address', max: 300, seconds: 10 * minute }],
} as const satisfies Operation

export const logout = {
  method: 'POST',
  path: '/auth/logout',
  tag: 'auth',
  summary: 'End a session; answers the same whatever the token',
  auth: 'none',
  body: Type.Object({ access_token: text({ maxLength: 4096 }) }),
  replies: { 204: NoContent },
} as const satisfies Operation

export const confirm = {
  method: 'POST',
  path: '/auth/confirm',
  tag: 'auth',
  summary: 'Confirm an e-mail address with the token of its mail and a proof of who signed up, and sign in',
  auth: 'none',
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
  ],
  rateLimits: [{ by: 'address', max: 60, seconds: 10 * minute }],
} as const satisfies Operation

export const getPendingConfirmation = {
  method: 'POST',
  path: '/auth/pending-confirmation',
  tag: 'auth',
  summary: 'The account that a confirmation link is for; changes nothing',
  auth: 'none',
  body: Type.Object({ token: Token, signup_secret: SignupSecret }),
  replies: { 200: PendingConfirmation },
  refusals: ['confirmation_invalid'],
  rateLimits: [{ by: 'address', max: 60, seconds: 10 * minute }],
} as const satisfies Operation

export const resendConfirmation = {
  method: 'POST',
  path: '/auth/resend-confirmation',
  tag: 'auth',
  summary: 'Ask for the mail again; answers the same whether or not the address is known',
  auth: 'none',
  body: Type.Object({ email: Email }),
  replies: { 200: Notice },
  rateLimits: mailLimits,
} as const satisfies Operation

export const forgotPassword = {
  method: 'POST',
  path: '/auth/forgot-password',
  tag: 'auth',
  summary: 'Ask for a mail to set a new password; answers the same whether or not the address is known',
  auth: 'none',
  body: Type.Object({ email: Email }),
  replies: { 200: Notice },
  refusals: ['mail_not_configured'],
  rateLimits: mailLimits,
} as const satisfies Operation

export const resetPassword = {
  method: 'POST',
  path: '/auth/reset-password',
  tag: 'auth',
  summary: 'Set a new password with the token of a mail, good once, for an hour; ends every session',
  auth: 'none',
  body: Type.Object({ token: Token, password: NewPassword }),
  replies: { 204: NoContent },
  refusals: ['reset_invalid', 'mail_not_configured'],
  rateLimits: [{ by: 'address', max: 30, seconds: 10 * minute }],
} as const satisfies Operation

export const changePassword = {
  method: 'POST',
  path: '/auth/change-password',
  tag: 'auth',
  summary: 'Change the password, or set a first one with a fresh identity token; ends all other sessions',
  auth: 'required',
  body: Type.Object({
    current_password: Type.Optional(text({ maxLength: authLimits.passwordMax })),
    new_password: NewPassword,
    ...identityProof,
  }),
  replies: { 204: NoContent },
  refusals: ['wrong_password', 'identity_required', 'invalid_identity_token', 'identity_provider_unreachable'],
  rateLimits: passwordGuessLimits,
} as const satisfies Operation

export const getSignInMethods = {
  method: 'GET',
  path: '/auth/methods',
  tag: 'auth',
  summary: 'How the caller can sign in: with a password, with an identity provider, or both',
  auth: 'required',
  replies: { 200: SignInMethods },
} as const satisfies Operation

export const listSessions = {
  method: 'GET',
  path: '/auth/sessions',
  tag: 'auth',
  summary: "The caller's signed-in devices, the one last used first",
  auth: 'required',
  replies: { 200: Type.Array(Session) },
} as const satisfies Operation

export const endSession = {
  method: 'DELETE',
  path: '/auth/sessions/:id',
  tag: 'auth',
  summary: "Sign out one of the caller's devices",
  auth: 'required',
  params: Type.Object({ id: SessionId }),
  replies: { 204: NoContent },
  refusals: ['session_not_found'],
} as const satisfies Operation

export const endOtherSessions = {
  method: 'DELETE',
  path: '/auth/sessions',
  tag: 'auth',
  summary: "Sign out all of the caller's devices but this one",
  auth: 'required',
  replies: { 204: NoContent },
} as const satisfies Operation
