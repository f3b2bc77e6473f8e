export const securityEventLimits = {
  listMax: 50,
  keepDays: 90,
} as const

/** Changes to how an account can be entered. */
export const securityEventKinds = [
  'passkey_added',
  'passkey_removed',
  'provider_linked',
  'provider_unlinked',
  'recovery_codes_created',
  'recovery_code_used',
  'password_changed',
  'password_reset',
  'reset_link_created',
] as const
export type SecurityEventKind = (typeof securityEventKinds)[number]
