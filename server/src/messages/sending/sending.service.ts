import type { MessageRow } from '@hither/contract/feeds.ts'
import type { ConversationId, MessageId, PhotoId, UserId } from '@hither/contract/ids.ts'
import type { MessagePhoto, Reply } from '@hither/contract/messages/message-parts.ts'
import type { Message, sendMessage as sendOperation } from '@hither/contract/messages/messages.ts'
import type { Input } from '@hither/contract/operation.ts'
import { fileLimits } from '@hither/contract/runtime/files.ts'
import { feeds } from '../../feeds/feeds.ts'
import { retryConflicts } from '../../platform/db/conflicts.ts'
import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/ids.ts'
import { inOrder } from '../../platform/db/in-order.ts'
import { type InvalidInput, Refusal } from '../../platform/errors/refusal.ts'
import { lockConversation, type MessagesDeps } from '../chats.service.ts'
import { announceCounts, countOf } from '../counts.service.ts'
import type { ChatOfCaller } from '../members.queries.ts'
import { assertCanSend, canSend, faultAt } from '../messages.rules.ts'
import * as queries from './sending.queries.ts'
import { contentOf, isReturned, readSending, type Sending } from './sending.rules.ts'

/**
 * Sends a message. A request that repeats a `client_id` of the sender is answered with the first message and announces
 * nothing.
 */
export async function sendMessage(
  { pool, changes, now }: MessagesDeps,
  senderId: UserId,
  input: Input<typeof sendOperation>['body'],
): Promise<{ message: Message; isNew: boolean }> {
  const sending = readSending(input)
  const { clientId } = sending
  return retryConflicts((attempt) =>
    changes.commit(pool, async (tx, announce, withCommit) => {
      const chat = await lockConversation(tx, senderId, input.conversation_id, now())
      const findSent = async () => {
        const sent = clientId === null ? undefined : await queries.findSent(tx, senderId, clientId, now())
        return sent && { message: assertNotDeleted(sent), isNew: false }
      }
      // Few requests are repeated ones. The insertion of their message fails, and the next attempt finds the first one.
      const repeated = attempt > 1 || !canSend(chat) ? await findSent() : undefined
      if (repeated) return repeated
      assertCanSend(chat)
      const at = now()
      const found = await findParts(tx, chat, senderId, sending, at)
      if ('fault' in found) {
        const sent = await findSent()
        if (sent) return sent
        throw found.fault
      }
      const id = newId<MessageId>()
      // Message times never go back within a conversation, even if the clocks of two nodes differ.
      const createdAt = laterOf(chat.updated_at, at.toISOString())
      const row = rowOf(chat, senderId, { id, createdAt }, sending, found)
      const audience = feeds.messages.audience(chat)
      announce.insert('messages', row, audience)
      const returned = chat.members.filter((member) => isReturned(member, at))
      const counts = chat.members.map((member) =>
        countOf(member, member.user_id === senderId ? 0 : 1, returned.includes(member)),
      )
      announceCounts(announce, chat, createdAt, counts)
      const recipientIds = audience.filter((userId) => userId !== senderId)
      const { text, replyToId, photoId, place } = sending
      const attachment = row.attachment?.type ?? null
      const fields = { id, conversationId: chat.id, senderId, clientId, text, createdAt, replyToId, attachment, place }
      withCommit(queries.insertMessage(tx, fields))
      const returnedIds = returned.map(({ user_id }) => user_id)
      if (returnedIds.length > 0) withCommit(queries.unarchiveFor(tx, chat.id, returnedIds))
      if (photoId !== null) withCommit(queries.attachPhoto(tx, photoId, id))
      announce.publish({ kind: 'message_sent', conversationId: chat.id, recipientIds, sentAt: createdAt, at })
      return { message: { ...row, chat_id: chat.id, read: false, reactions: [] }, isNew: true }
    }),
  )
}

interface Parts {
  readonly reply: Reply | null
  readonly photo: Pick<MessagePhoto, 'width' | 'height'> | null
}

/** Finds the quoted message and the photo. Returns the error of the first one that is not there. */
async function findParts(
  tx: Tx,
  { id: conversationId }: ChatOfCaller,
  senderId: UserId,
  { replyToId, photoId }: Sending,
  now: Date,
): Promise<Parts | { readonly fault: InvalidInput }> {
  const [reply, photo] = await inOrder([
    replyToId && queries.findQuoted(tx, conversationId, replyToId),
    photoId && lockPhoto(tx, conversationId, senderId, photoId, now),
  ])
  if (replyToId && !reply) return { fault: faultAt('reply_to_unavailable', 'body', 'reply_to_id') }
  if (photoId && !photo) return { fault: faultAt('photo_unavailable', 'body', 'photo_id') }
  return { reply: reply ?? null, photo: photo ?? null }
}

function lockPhoto(tx: Tx, conversationId: ConversationId, senderId: UserId, photoId: PhotoId, now: Date) {
  const uploadedAfter = new Date(now.getTime() - fileLimits.unsentPhotoMs)
  return queries.lockUnsentPhoto(tx, { photoId, conversationId, senderId, uploadedAfter })
}

function rowOf(
  chat: ChatOfCaller,
  senderId: UserId,
  { id, createdAt }: { id: MessageId; createdAt: string },
  { text, clientId, place }: Sending,
  { reply, photo }: Parts,
): MessageRow {
  const attachment =
    (photo && { type: 'photo' as const, caption: text, ...photo }) ??
    (place && { type: 'place' as const, caption: text, ...place })
  return {
    id,
    conversation_id: chat.id,
    sender_id: senderId,
    sender_username: chat.caller_username,
    sender_display_name: chat.caller_display_name,
    content: contentOf(text, attachment),
    created_at: createdAt,
    // The lock of the conversation guarantees this position.
    seq: chat.last_seq + 1,
    client_id: clientId?.toLowerCase() ?? null,
    edited_at: null,
    reply_to: reply,
    attachment,
  }
}

/** Returns the later of two ISO 8601 times in UTC with milliseconds. */
function laterOf(a: string, b: string): string {
  return a > b ? a : b
}

function assertNotDeleted({ is_there, ...message }: Message & { is_there: boolean }): Message {
  if (!is_there) throw new Refusal('message_not_found')
  return message
}
