import { type UserId } from '@hither/contract/ids.ts'
import { type ConversationSummary, messageLimits, messageTexts } from '@hither/contract/messages.ts'

export interface NewChat {
  isGroup: boolean
  name: string
  chosen: readonly UserId[]
}

/** What is wrong with it, or null. */
export function faultOf({ isGroup, name, chosen }: NewChat): string | null {
  if (!isGroup) return chosen.length === 1 ? null : messageTexts.directNeedsOne
  return name.trim() === '' || chosen.length < messageLimits.groupOthersMin ? messageTexts.groupIncomplete : null
}

/** In a direct chat one takes the place of another. */
export function toggled(chosen: readonly UserId[], userId: UserId, isGroup: boolean): UserId[] {
  if (chosen.includes(userId)) return chosen.filter((id) => id !== userId)
  return isGroup ? [...chosen, userId] : [userId]
}

export function directWith(
  summaries: readonly ConversationSummary[] | undefined,
  userId: UserId | undefined,
): ConversationSummary | undefined {
  return summaries?.find(
    ({ direct_participant }) => direct_participant !== null && direct_participant.user_id === userId,
  )
}
