import type { Outgoing } from './message-outbox.ts'

/** A photo that waits with its file. It is uploaded first and then sent by the id of the upload. */
interface WaitingPhoto {
  file: Blob
  /** The size in pixels, as far as this browser can read the file. */
  width: number | null
  height: number | null
  /** The upload of the file. The server keeps it for a day. */
  photo_id: string | null
}

export interface OutgoingPhoto extends Outgoing {
  photo: WaitingPhoto
}

export function nextPhoto(items: readonly OutgoingPhoto[]): OutgoingPhoto | undefined {
  return items.find(({ state }) => state === 'waiting')
}

export function withUpload(
  items: readonly OutgoingPhoto[],
  clientId: string,
  photoId: string | null,
): readonly OutgoingPhoto[] {
  return items.map((item) =>
    item.client_id === clientId ? { ...item, photo: { ...item.photo, photo_id: photoId } } : item,
  )
}

/** The unsent messages of both queues in the order in which they were written. */
export function inWrittenOrder(messages: readonly Outgoing[], photos: readonly Outgoing[]): readonly Outgoing[] {
  if (photos.length === 0) return messages
  // A stable sort: messages of the same millisecond keep the order of their queue.
  return [...messages, ...photos].sort((a, b) => a.created_at.localeCompare(b.created_at))
}

export function isPhoto(message: Outgoing): message is OutgoingPhoto {
  return 'photo' in message
}
