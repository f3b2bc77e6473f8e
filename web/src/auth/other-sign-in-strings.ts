/** Texts of the ways to sign in without a password, which are loaded later than the form. */
export const otherSignInStrings = {
  or: 'or',
  passkey: 'Sign in with a passkey',
  provider: (name: string) => `Continue with ${name}`,
} as const
