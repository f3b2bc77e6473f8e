import type { ConversationSummary } from '@hither/contract/messages/messages.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import { t } from '../i18n/translate.ts'

/** Returns the display name of a conversation: the name of a group, or the other participant of a direct one. */
export function nameOf({ name, direct_participant }: Pick<ConversationSummary, 'name' | 'direct_participant'>): string {
  return name ?? (direct_participant && shownName(direct_participant)) ?? t('chat.deletedUser')
}
