import { type ConversationSummary, messageTexts } from '@hither/contract/messages.ts'

/** What a conversation is called: a group by its name, a direct one by the other person. */
export function nameOf({ name, direct_participant }: Pick<ConversationSummary, 'name' | 'direct_participant'>): string {
  return name ?? direct_participant?.username ?? messageTexts.deletedUser
}
