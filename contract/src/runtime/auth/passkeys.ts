export const passkeyLimits = {
  perUser: 20,
  nameMax: 60,
  challengeMinutes: 5,
} as const

/** The name of a passkey whose device is unknown. */
export const defaultPasskeyName = 'Passkey'
