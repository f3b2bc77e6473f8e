import type { Address } from '../../operation.ts'

export const authLimits = {
  passwordMin: 6,
  /** Long enough for any passphrase. It bounds the cost of hashing. */
  passwordMax: 256,
  emailMax: 254,
  accessTokenSeconds: 3600,
  refreshTokenDays: 60,
  /** Two tabs may use the same refresh token within this time. A later reuse revokes the session. */
  refreshGraceSeconds: 10,
  confirmationHours: 24,
  /** Wrong passwords or secrets that one confirmation link accepts before it becomes invalid. */
  confirmationTries: 5,
  resetMinutes: 60,
  deviceMax: 100,
  /** A sign-in within this time allows to change how the account can be entered. */
  recentSignInMinutes: 10,
} as const

/** Of the reply to a new password: how many unused recovery codes it has ended. */
export const recoveryCodesDeletedHeader = 'recovery-codes-deleted'

export const authTexts = {
  fillInAllFields: 'Please fill in all fields',
  emailInvalid: 'Please enter a valid email address',
  passwordsDiffer: 'Passwords do not match',
  passwordTooShort: 'Password must be at least 6 characters long',
  usernameTooShort: 'Username must be at least 2 characters long',
  usernameTooLong: 'Username must be 30 characters or less',
  usernameInvalid: 'Use only letters, numbers, _ . and -',
  sessionExpired: 'Session expired. Please login again.',
  noRefreshToken: 'No refresh token available',
  refreshFailed: 'Failed to refresh token',
  checkYourEmail: 'Please check your email and open the link in it to finish signing up.',
  confirmationResent: 'If this address is waiting to be confirmed, a new link is on its way.',
  emailUnreachable: 'This server cannot send email to this address. Please use one with plain letters before the @.',
  passwordTooCommon: 'This password is too common. Please choose another one.',
  resetSent: 'If an account has this address, a link to set a new password is on its way.',
} as const

export const signup = {
  method: 'POST',
  path: '/auth/signup',
  auth: 'none',
} as const satisfies Address

export const login = {
  method: 'POST',
  path: '/auth/login',
  auth: 'none',
} as const satisfies Address

export const google = {
  method: 'POST',
  path: '/auth/google',
  auth: 'none',
} as const satisfies Address

export const refresh = {
  method: 'POST',
  path: '/auth/refresh',
  auth: 'none',
} as const satisfies Address

export const logout = {
  method: 'POST',
  path: '/auth/logout',
  auth: 'none',
} as const satisfies Address

export const confirm = {
  method: 'POST',
  path: '/auth/confirm',
  auth: 'none',
} as const satisfies Address

export const getPendingConfirmation = {
  method: 'POST',
  path: '/auth/pending-confirmation',
  auth: 'none',
} as const satisfies Address

export const resendConfirmation = {
  method: 'POST',
  path: '/auth/resend-confirmation',
  auth: 'none',
} as const satisfies Address

export const forgotPassword = {
  method: 'POST',
  path: '/auth/forgot-password',
  auth: 'none',
} as const satisfies Address

export const resetPassword = {
  method: 'POST',
  path: '/auth/reset-password',
  auth: 'none',
} as const satisfies Address

export const changePassword = {
  method: 'POST',
  path: '/auth/change-password',
  auth: 'required',
} as const satisfies Address

export const getSignInMethods = {
  method: 'GET',
  path: '/auth/methods',
  auth: 'required',
} as const satisfies Address

export const listSessions = {
  method: 'GET',
  path: '/auth/sessions',
  auth: 'required',
} as const satisfies Address

export const endSession = {
  method: 'DELETE',
  path: '/auth/sessions/:id',
  auth: 'required',
} as const satisfies Address

export const endOtherSessions = {
  method: 'DELETE',
  path: '/auth/sessions',
  auth: 'required',
} as const satisfies Address
