import type { UserId } from '@hither/contract/ids.ts'
import type { ConversationSummary } from '@hither/contract/messages/messages.ts'
import { messageLimits } from '@hither/contract/runtime/messages/messages.ts'
import { t } from '../../i18n/translate.ts'

interface NewChat {
  isGroup: boolean
  name: string
  chosen: readonly UserId[]
}

/** Returns the error text, or null. */
export function newChatError({ isGroup, name, chosen }: NewChat): string | null {
  if (!isGroup) return chosen.length === 1 ? null : t('chat.directNeedsOne')
  return name.trim() === '' || chosen.length < messageLimits.groupOthersMin ? t('chat.groupIncomplete') : null
}

/** A direct chat has one participant, so a choice replaces the former one. */
export function toggled(chosen: readonly UserId[], userId: UserId, isGroup: boolean): UserId[] {
  if (chosen.includes(userId)) return chosen.filter((id) => id !== userId)
  return isGroup ? [...chosen, userId] : [userId]
}

export function hasAll(chosen: readonly UserId[], userIds: readonly UserId[]): boolean {
  return userIds.length > 0 && userIds.every((id) => chosen.includes(id))
}

/** Selects all of the people, or none of them if all were selected. */
export function toggledAll(chosen: readonly UserId[], userIds: readonly UserId[]): UserId[] {
  const others = chosen.filter((id) => !userIds.includes(id))
  return hasAll(chosen, userIds) ? others : [...others, ...userIds]
}

export function directWith(
  summaries: readonly ConversationSummary[] | undefined,
  userId: UserId | undefined,
): ConversationSummary | undefined {
  return summaries?.find(
    ({ direct_participant }) => direct_participant !== null && direct_participant.user_id === userId,
  )
}
