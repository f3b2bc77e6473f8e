import type { PhotoId, UserId } from '@hither/contract/ids.ts'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, isRefusal } from '../../api/api-error.ts'
import { call } from '../../api/transport.ts'
import { upload } from '../../api/upload.ts'
import { t } from '../../i18n/translate.ts'
import { type Sender, startSender } from '../../outbox/sender.ts'
import { sessionState } from '../../session/session.ts'
import { putMessage } from '../chat.cache.ts'
import { dropEnded } from './drop-unsent.ts'
import { nextPhoto, type OutgoingPhoto, withUpload } from './outgoing.ts'
import { failPhoto, noteUploadProgress, removePhotoFromOutbox } from './photo-outbox.ts'
import { waitingPhotos } from './photo-queue.ts'

/**
 * Uploads the user's stored photos and sends each with its message. A restart between both steps does not upload the file
 * again.
 */
export function startPhotoOutbox(queryClient: QueryClient, viewerId: UserId): Sender {
  return startSender<OutgoingPhoto>({
    lock: `hither-photos-${viewerId}`,
    reread: waitingPhotos.reread,
    subscribe: waitingPhotos.subscribe,
    // Calls are made in the name of the user who is signed in at that moment.
    next: () => (sessionState().user?.id === viewerId ? nextPhoto(waitingPhotos.items()) : undefined),
    async send(item, isStopped, signal) {
      const { message } = await sendPhoto(item, isStopped, signal)
      if (isStopped()) return
      putMessage(queryClient, message, viewerId)
      await removePhotoFromOutbox(viewerId, item.client_id)
    },
    refuse: ({ client_id, conversation_id }, error) =>
      isRefusal(error, 'conversation_not_found')
        ? dropEnded(queryClient, viewerId, conversation_id)
        : failPhoto(viewerId, client_id, error, t('chat.sendFailed')),
  })

  async function sendPhoto(item: OutgoingPhoto, isStopped: () => boolean, signal: AbortSignal) {
    const stored = item.photo.photo_id as PhotoId | null
    if (stored === null) return send(item, await uploadFile(item, isStopped, signal), signal)
    try {
      return await send(item, stored, signal)
    } catch (error) {
      // The server deletes unsent photos after a day. The file is still here.
      if (!isUnavailable(error) || isStopped()) throw error
      return send(item, await uploadFile(item, isStopped, signal), signal)
    }
  }

  async function uploadFile(
    { client_id, conversation_id, photo }: OutgoingPhoto,
    isStopped: () => boolean,
    signal: AbortSignal,
  ) {
    const { photo_id } = await upload(
      'POST /messages/conversations/:id/photos',
      { params: { id: conversation_id } },
      photo.file,
      {
        signal,
        onProgress: (share) => noteUploadProgress(client_id, share),
      },
    )
    if (!isStopped()) await waitingPhotos.edit(viewerId, (items) => withUpload(items, client_id, photo_id))
    return photo_id
  }
}

function send(
  { client_id, conversation_id, content, reply_to }: OutgoingPhoto,
  photo_id: PhotoId,
  signal: AbortSignal,
) {
  const body = {
    conversation_id,
    client_id,
    photo_id,
    ...(content !== '' && { content }),
    ...(reply_to !== undefined && { reply_to_id: reply_to.id }),
  }
  return call('POST /messages/send', { body }, { signal })
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.fieldErrors.some(({ type }) => type === 'photo_unavailable')
}
