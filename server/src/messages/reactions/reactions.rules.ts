import { reactionLimits } from '@hither/contract/runtime/messages/reactions.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { faultAt } from '../messages.rules.ts'

/** One emoji as keyboards send it, with skin tones, flags and joined sequences. */
const emojiPattern = /^\p{RGI_Emoji}$/v

export function readEmoji(emoji: string): string {
  if (Buffer.byteLength(emoji) > reactionLimits.emojiBytes || !emojiPattern.test(emoji))
    throw faultAt('emoji_invalid', 'body', 'emoji')
  return emoji
}

export function assertBelowLimit(reactionCount: number): void {
  if (reactionCount >= reactionLimits.perMessage) throw new Refusal('too_many_reactions')
}
