import type { ConversationId } from '@hither/contract/ids.ts'
import { getConversation } from '@hither/contract/messages/messages.ts'
import { listMyPings, type Ping } from '@hither/contract/pings.ts'
import { call, type Person } from '../people.ts'

export function pingsOf(base: string, person: Person): Promise<Ping[]> {
  return call(base, listMyPings, { query: {} }, person)
}

/** The texts of the messages of a conversation on the server, oldest first. */
export async function messagesOf(base: string, id: ConversationId, reader: Person): Promise<string[]> {
  const { message_details } = await call(base, getConversation, { params: { id }, query: {} }, reader)
  return message_details.messages.toSorted((a, b) => a.seq - b.seq).map(({ content }) => content)
}
