import { join } from 'node:path'
import type { ConversationId } from '@hither/contract/ids.ts'
import { type Conversation, createConversation } from '@hither/contract/messages/messages.ts'
import { createPool } from '../server/src/platform/db/pool.ts'
import { call, dropPing, type Person } from './people.ts'

/** Drops a pin for these friends and creates its chat, as the owner. */
export async function makePinChat(base: string, owner: Person, friends: readonly Person[]): Promise<Conversation> {
  const participant_ids = friends.map(({ session }) => session.user.id)
  const { id } = await dropPing(base, owner, { recipient_ids: participant_ids })
  const body = { name: 'Coffee at Nero Chat', participant_ids, ping_id: id, system_created: true }
  return call(base, createConversation, { body }, owner)
}

/**
 * Sets the date of a chat on the server with this data folder, which is at least a day away otherwise. No client is notified. The
 * server erases the chat within 15 seconds of the date.
 */
export async function setChatDate(folder: string, id: ConversationId, at: Date): Promise<void> {
  const connection = { host: join(folder, 'run'), port: 5432, user: 'hither', database: 'hither' }
  const pool = createPool({ connection, max: 1, idleMs: 0, isWatched: false })
  await pool`update chats set erase_at = ${at} where id = ${id}`
  await pool.end({ timeout: 1 })
}
