export const tripLimits = {
  etaMinMinutes: 1,
  etaMaxMinutes: 180,
  /** How long before the start of a ping a trip may be shared. */
  earliestMs: 10_800_000,
  /** A trip ends this long after its arrival time if the person has not arrived by then. */
  overdueMs: 1_800_000,
} as const

export const tripTexts = {
  etaOutOfRange: 'Please choose between 1 and 180 minutes.',
} as const
