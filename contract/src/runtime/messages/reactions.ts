import type { Address } from '../../operation.ts'

export const reactionLimits = {
  /** Of one emoji, in UTF-8. */
  emojiBytes: 64,
  perMessage: 100,
} as const

/** The emoji that are offered before the full picker is opened. */
export const quickEmoji = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const

export const setReaction = {
  method: 'PUT',
  path: '/messages/messages/:id/reaction',
  auth: 'required',
} as const satisfies Address

export const removeReaction = {
  method: 'DELETE',
  path: '/messages/messages/:id/reaction',
  auth: 'required',
} as const satisfies Address

export const listReactions = {
  method: 'GET',
  path: '/messages/messages/:id/reactions',
  auth: 'required',
} as const satisfies Address
