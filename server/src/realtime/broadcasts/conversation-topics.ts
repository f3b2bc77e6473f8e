import type { ConversationId } from '@hither/contract/ids.ts'
import { conversationTopic } from '@hither/contract/runtime/messages/messages.ts'

const prefix = `realtime:${conversationTopic('' as ConversationId)}`
const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

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
  return isConversationTopic(topic) && idPattern.test(id) ? (id as ConversationId) : null
}
