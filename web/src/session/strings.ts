export const sessionTexts = {
  signInFailed: 'Sign in failed',
  signUpFailed: 'Sign up failed',
  signOutFailed: 'Sign out failed',
  refreshFailed: 'Session refresh failed',
} as const
