import type { ConversationId, MessageId, PhotoId, UserId } from '@hither/contract/ids.ts'
import type { Reply } from '@hither/contract/messages/message-parts.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import type { Tx } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements.ts'
import type { LockedConversation } from '../conversations.queries.ts'
import { messageColumns, replyObject } from '../messages.columns.ts'
import * as shown from '../messages.visibility.ts'
import { wordsOf } from '../search/search.rules.ts'

const sent = statement`
  select ${messageColumns()}, m.deleted_at is null and coalesce(${shown.isSeen}, false) as is_there
  from messages m
  join users u on u.id = m.sender_id
  join chats c on c.id = m.chat_id
  left join ${shown.membership} me on me.chat_id = c.id and me.user_id = m.sender_id
  where m.sender_id = ${'viewerId'} and m.client_id = ${'clientId'}`

/** Finds the message that the sender has sent under this `client_id`, and whether the sender can still see it. */
export async function findSent(
  tx: Tx,
  senderId: UserId,
  clientId: string,
  now: Date,
): Promise<(Message & { is_there: boolean }) | undefined> {
  const [row] = await sent<Message & { is_there: boolean }>(tx, { viewerId: senderId, clientId, now })
  return row
}

const quoted = statement`
  select ${replyObject} as reply
  from messages q left join users qu on qu.id = q.sender_id
  where q.id = ${'messageId'} and q.chat_id = ${'conversationId'} and q.deleted_at is null`

/** Finds a message of this conversation that is not deleted. The caller must be a member. */
export async function findQuoted(tx: Tx, conversationId: ConversationId, messageId: MessageId): Promise<Reply | null> {
  const [row] = await quoted<{ reply: Reply }>(tx, { conversationId, messageId })
  return row?.reply ?? null
}

const unsent = statement`
  select width, height from images
  where id = ${'photoId'} and chat_id = ${'conversationId'} and uploaded_by = ${'senderId'}
    and created_at > ${'uploadedAfter'}
  for update`

/** Locks a photo that this user has uploaded to this conversation since `uploadedAfter` and has not sent. */
export async function lockUnsentPhoto(
  tx: Tx,
  photo: { photoId: PhotoId; conversationId: ConversationId; senderId: UserId; uploadedAfter: Date },
): Promise<{ width: number; height: number } | undefined> {
  const [row] = await unsent<{ width: number; height: number }>(tx, photo)
  return row
}

const attach = statement`update images set message_id = ${'messageId'}::uuid, chat_id = null where id = ${'photoId'}`

/** Makes an unsent photo the one of a message. Returned before it runs, so that it can be sent with the commit. */
export function attachPhoto(tx: Tx, photoId: PhotoId, messageId: MessageId) {
  return attach(tx, { photoId, messageId })
}

const insert = statement`
  with chat as (
    update chats set last_seq = last_seq + 1, updated_at = ${'createdAt'}
    where id = ${'conversationId'}
    returning id, last_seq, updated_at
  ), sender as (
    update chat_members m set
      last_read_seq = case when m.last_read_seq + m.unread_skipped = c.last_seq - 1 then c.last_seq else m.last_read_seq end,
      unread_skipped = case when m.last_read_seq + m.unread_skipped = c.last_seq - 1 then 0 else m.unread_skipped + 1 end
    from chat c where m.chat_id = c.id and m.user_id = ${'senderId'}
  )
  insert into messages (id, chat_id, seq, sender_id, client_id, content, created_at, reply_to_id, attachment, place_name,
    place_address, latitude, longitude, search)
  select ${'id'}::uuid, c.id, c.last_seq, ${'senderId'}::uuid, ${'clientId'}::uuid, ${'text'}, c.updated_at,
    ${'replyToId'}::uuid, ${'attachment'}, ${'placeName'}, ${'placeAddress'}, ${'latitude'}::double precision,
    ${'longitude'}::double precision, words_in_chat(c.id, ${'words'}::text[])
  from chat c`

/**
 * Inserts a message at the next position, at a time not before the conversation's last one. The sender's read position
 * advances only if nothing was unread; otherwise the unread count skips own messages. Returned before it runs, so that it can be
 * sent with the commit.
 */
export function insertMessage(
  tx: Tx,
  message: {
    id: MessageId
    conversationId: LockedConversation
    senderId: UserId
    clientId: string | null
    /** The text, or the caption of the attachment. */
    text: string
    createdAt: string
    replyToId: MessageId | null
    attachment: 'photo' | 'place' | null
    place: { name: string | null; address: string | null; latitude: number; longitude: number } | null
  },
) {
  const { place, ...fields } = message
  return insert(tx, {
    ...fields,
    placeName: place?.name ?? null,
    placeAddress: place?.address ?? null,
    latitude: place?.latitude ?? null,
    longitude: place?.longitude ?? null,
    words: wordsOf(message.text, place?.name),
  })
}

const unarchive = statement`
  update chat_members set archived_at = null
  where chat_id = ${'conversationId'} and user_id = any(${'memberIds'}::uuid[])`

/**
 * Moves a conversation out of the archives of these members. A statement of its own: with a list of ids, the database would
 * plan the insertion of each message again. Returned before it runs, so that it can be sent with the commit.
 */
export function unarchiveFor(tx: Tx, conversationId: ConversationId, memberIds: readonly UserId[]) {
  return unarchive(tx, { conversationId, memberIds })
}
