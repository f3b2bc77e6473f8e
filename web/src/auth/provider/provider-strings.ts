export const providerStrings = {
  signingIn: 'Signing you in…',
  linking: 'Linking…',
  failedHeading: 'Sign-in failed',
  linkFailedHeading: 'Link failed',
  signedIn: 'Signed in',
  linked: 'Linked',
  failed: 'Sign in failed',
  tryAgain: 'Try Again',
  goToSignIn: 'Go to Sign In',
  goToProfile: 'Go to your profile',
} as const
