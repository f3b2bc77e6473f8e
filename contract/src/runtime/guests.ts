export const guestLimits = {
  nameMax: 30,
  /** Guests of one ping at a time, also those who wait for approval. */
  perPing: 50,
  /** Guests of one ping who are approved within 24 hours, also those who are gone. */
  perPingAndDay: 300,
  /** How long after the end of a ping its guests are stored. */
  retentionMs: 86_400_000,
  /** The shortest time between two notifications of the owner about the guests of one ping. */
  pushPauseMs: 60_000,
} as const

export const guestTexts = {
  nameInvalid: 'Please enter a name with 1 to 30 characters and no links.',
} as const
