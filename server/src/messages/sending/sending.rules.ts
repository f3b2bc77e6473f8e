import type { MessageId, PhotoId } from '@hither/contract/ids.ts'
import type { Attachment, MessagePlace } from '@hither/contract/messages/message-parts.ts'
import type { NewPlace, sendMessage } from '@hither/contract/messages/messages.ts'
import type { Input } from '@hither/contract/operation.ts'
import { photoContent, placeContent } from '@hither/contract/runtime/messages/messages.ts'
import { cleanLine } from '@hither/contract/runtime/texts.ts'
import { fieldError, InvalidInput } from '../../platform/errors/refusal.ts'
import type { Member } from '../members.queries.ts'
import { faultAt, readContent } from '../messages.rules.ts'

/** A message to send after validation. It has a text, a photo or a place. */
export interface Sending {
  /** The text, or the caption of the attachment. */
  readonly text: string
  readonly clientId: string | null
  readonly replyToId: MessageId | null
  readonly photoId: PhotoId | null
  readonly place: Omit<MessagePlace, 'type' | 'caption'> | null
}

export function readSending(input: Input<typeof sendMessage>['body']): Sending {
  const { content, client_id = null, reply_to_id = null, photo_id = null, place = null } = input
  if (photo_id !== null && place !== null) throw faultAt('one_attachment', 'body')
  const text = readContent(content, photo_id !== null || place !== null)
  return { text, clientId: client_id, replyToId: reply_to_id, photoId: photo_id, place: place && readPlace(place) }
}

/** A blank address counts as none. A name has at least one character after trimming. */
function readPlace({ latitude, longitude, name, address }: NewPlace): Sending['place'] {
  const [placeName, placeAddress] = [name, address].map((text) => (text == null ? null : cleanLine(text)))
  if (placeName === '') throw new InvalidInput(fieldError('body', 'place', 'name')('group_name_invalid'))
  return { name: placeName ?? null, address: placeAddress || null, latitude, longitude }
}

/** The `content` of a message: the text, or what stands for an attachment without caption. */
export function contentOf(text: string, attachment: Attachment | null): string {
  if (text !== '' || attachment === null) return text
  return attachment.type === 'photo' ? photoContent : placeContent(attachment.name)
}

/** Whether a new message moves the conversation out of the archive of this member. */
export function isReturned({ placement }: Member, now: Date): boolean {
  if (placement?.archived_at == null) return false
  const { mute } = placement
  const isMuted = mute !== null && (mute.until === null || Date.parse(mute.until) > now.getTime())
  return !isMuted
}
