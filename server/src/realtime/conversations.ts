import { type ConversationId } from '@hither/contract/ids.ts'
import { conversationTopic } from '@hither/contract/messages.ts'

const prefix = `realtime:${conversationTopic('' as ConversationId)}`
const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a topic is that of a conversation, whatever id it may name. */
export function isConversationTopic(topic: string): boolean {
  return topic.startsWith(prefix)
}

/** The conversation of a topic as the protocol writes it, `realtime:conversation:<id>`; `null` where it names none. */
export function conversationOf(topic: string): ConversationId | null {
  const id = topic.slice(prefix.length)
  return isConversationTopic(topic) && idPattern.test(id) ? (id as ConversationId) : null
}
