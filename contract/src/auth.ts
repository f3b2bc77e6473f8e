import { type Static, Type } from 'typebox'
import { type Operation } from './operation.ts'
import { User, userLimits } from './users.ts'
import { NoContent, text } from './values.ts'

export const authLimits = {
  passwordMin: 6,
  /** Long enough for any passphrase; bounds the work of hashing. */
  passwordMax: 256,
  emailMax: 254,
  accessTokenSeconds: 3600,
  refreshTokenDays: 60,
  /** Two tabs may race for one refresh token for this long; reuse after that ends the session. */
  refreshGraceSeconds: 10,
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
})
export type ConfirmationRequired = Static<typeof ConfirmationRequired>

const Email = text({ maxLength: authLimits.emailMax, pattern: emailPattern })
const Password = text({ maxLength: authLimits.passwordMax })
const Token = text({ minLength: 1, maxLength: 4096 })

export const signup = {
  method: 'POST',
  path: '/auth/signup',
  tag: 'auth',
  summary: 'Make an account',
  auth: 'none',
  body: Type.Object({
    email: Email,
    password: text({ minLength: authLimits.passwordMin, maxLength: authLimits.passwordMax }),
    username: text({
      minLength: userLimits.usernameMin,
      maxLength: userLimits.usernameMax,
      pattern: userLimits.usernamePattern,
    }),
  }),
  replies: { 201: Type.Union([AuthSession, ConfirmationRequired]) },
  refusals: ['username_taken', 'email_registered'],
} as const satisfies Operation

export const login = {
  method: 'POST',
  path: '/auth/login',
  tag: 'auth',
  summary: 'Sign in with e-mail and password',
  auth: 'none',
  body: Type.Object({ email: text({ maxLength: authLimits.emailMax }), password: Password }),
  replies: { 200: AuthSession },
  refusals: ['invalid_credentials'],
} as const satisfies Operation

export const google = {
  method: 'POST',
  path: '/auth/google',
  tag: 'auth',
  summary: 'Sign in with an identity token',
  auth: 'none',
  body: Type.Object({ id_token: text({ minLength: 1, maxLength: 16_384 }) }),
  replies: { 200: AuthSession, 201: AuthSession },
  refusals: ['google_not_configured'],
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
