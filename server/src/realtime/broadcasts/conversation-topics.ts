import type { ConversationId } from '@hither/contract/ids.ts'
import { conversationTopic } from '@hither/contract/runtime/messages/messages.ts'
import { isUuid } from '@hither/contract/runtime/uuid.ts'

const prefix = `realtime:${conversationTopic('' as ConversationId)}`

/** Whether the topic is that of a conversation, even if the id is not valid. */
export function isConversationTopic(topic: string): boolean {
  return topic.startsWith(prefix)
}

/**
 * Returns the conversation of a topic in the form of the protocol, `realtime:conversation:<id>`; `null` if it names
 * none.
 */
export function conversationOf(topic: string): ConversationId | null {
  const id = topic.slice(prefix.length)
  return isConversationTopic(topic) && isUuid(id) && id === id.toLowerCase() ? (id as ConversationId) : null
}
