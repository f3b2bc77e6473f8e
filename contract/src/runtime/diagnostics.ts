export const diagnosticsLimits = {
  /** Timeout of each check. */
  answerWithinMs: 3000,
  mailWithinMs: 10_000,
} as const
