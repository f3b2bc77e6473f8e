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
