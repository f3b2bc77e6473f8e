import type { UnsentPhoto } from '@hither/contract/files.ts'
import type { ConversationId, MessageId, UserId } from '@hither/contract/ids.ts'
import { fileLimits } from '@hither/contract/runtime/files.ts'
import { contentOf, type FilesDeps, type Size, storeUnsentPhoto } from '../../files/files.service.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { Content } from '../../platform/http/content.ts'
import type { Upload } from '../../platform/http/uploads.ts'
import { lockConversation } from '../chats.service.ts'
import { findChatOfCaller } from '../members.queries.ts'
import { assertCanSend } from '../messages.rules.ts'
import { findPhoto } from './photos.queries.ts'

/** Stores a photo that the caller can send with a message of this conversation. */
export async function uploadPhoto(
  deps: FilesDeps,
  callerId: UserId,
  conversationId: ConversationId,
  upload: Upload,
): Promise<UnsentPhoto> {
  // Checked before the upload is read, which may have ten megabytes, and again in the transaction.
  const chat = await findChatOfCaller(deps.pool, callerId, conversationId, deps.now())
  if (!chat) throw new Refusal('conversation_not_found')
  assertCanSend(chat)
  const owner = { conversationId: chat.id, uploadedBy: callerId }
  const photo = await storeUnsentPhoto(deps, owner, upload, async (tx) =>
    assertCanSend(await lockConversation(tx, callerId, chat.id, deps.now())),
  )
  const { id: photo_id, width, height, storedAt } = photo
  return { photo_id, width, height, expires_at: new Date(storedAt.getTime() + fileLimits.unsentPhotoMs).toISOString() }
}

/** Opens the photo of a message. Refuses a message that the viewer does not see as an unknown one. */
export async function openPhoto(
  { pool, storage, now }: FilesDeps,
  viewerId: UserId,
  messageId: MessageId,
  size: Size,
): Promise<Content> {
  const photo = await findPhoto(pool, viewerId, messageId, now())
  if (photo === undefined) throw new Refusal('message_not_found')
  if (photo === null) throw new Refusal('image_not_found')
  return contentOf(storage, photo, size)
}
