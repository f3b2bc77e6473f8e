export const recoveryLimits = {
  codes: 8,
  /** Letters of a code without its hyphens: 80 random bits in Crockford's base32. */
  codeLength: 16,
  /** As typed, with spaces and hyphens. */
  codeInputMax: 64,
  resetMinutes: 10,
  /** How long a reset link by an admin or by the operator is valid. */
  linkHours: 24,
} as const
