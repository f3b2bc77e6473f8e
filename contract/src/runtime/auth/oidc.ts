export const oidcLimits = {
  /** 32 random bytes in base64url: verifier, challenge and code. */
  secretLength: 43,
  /** How long a person may take to sign in at the provider. */
  stateMinutes: 10,
  codeSeconds: 60,
  returnToMax: 2000,
} as const

/** The path of the web app to which the provider's answer leads, with `#code=…` in the fragment. */
export const signedInPath = '/signed-in'
/** The address to which the provider's answer leads in the packaged app. */
export const appSignedInUrl = 'hither://signed-in'
