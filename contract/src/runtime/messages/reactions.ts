export const reactionLimits = {
  /** Of one emoji, in UTF-8. */
  emojiBytes: 64,
  perMessage: 100,
} as const

/** The emoji that are offered before the full picker is opened. */
export const quickEmoji = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const
