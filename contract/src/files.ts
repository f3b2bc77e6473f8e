import { type Static, Type } from 'typebox'
import { ConversationId, MessageId, PhotoId, PingId, UserId } from './ids.ts'
import type { Operation } from './operation.ts'
import * as runtime from './runtime/files.ts'
import { Bytes, NoContent, oneOf, Timestamp } from './values.ts'

/** `thumb` selects the small rendition. */
const Size = Type.Object({ size: Type.Optional(oneOf(['thumb', 'full'])) })

const PingParam = Type.Object({ pingId: PingId })

export const HasImage = Type.Object({ has_image: Type.Literal(true) })
export type HasImage = Static<typeof HasImage>

export const uploadProfileImage = {
  address: 'POST /files/profile-image',
  auth: 'required',
  upload: { maxBytes: runtime.fileLimits.profileImageBytes, tooLarge: 'profile_image_too_large' },
  tag: 'files',
  summary: "Set the caller's picture: JPEG, PNG, WebP, GIF or AVIF; stored at a reduced size, without metadata",
  replies: { 200: HasImage },
  refusals: ['profile_image_too_large', 'not_an_image', 'storage_full', 'disk_low', 'server_busy'],
  rateLimits: [{ by: 'person', max: 60, seconds: 3600 }],
} as const satisfies Operation

export const deleteProfileImage = {
  address: 'DELETE /files/profile-image',
  auth: 'required',
  tag: 'files',
  summary: "Delete the caller's picture; idempotent",
  replies: { 204: NoContent },
} as const satisfies Operation

export const getOwnProfileImage = {
  address: 'GET /files/profile-image/me',
  auth: 'required',
  content: 'image/webp',
  tag: 'files',
  summary: "Get the caller's picture",
  query: Size,
  replies: { 200: Bytes },
  refusals: ['image_not_found'],
} as const satisfies Operation

export const getProfileImage = {
  address: 'GET /files/profile-image/:userId',
  auth: 'required',
  content: 'image/webp',
  tag: 'files',
  summary: "Get a user's picture",
  params: Type.Object({ userId: UserId }),
  query: Size,
  replies: { 200: Bytes },
  refusals: ['image_not_found'],
} as const satisfies Operation

export const uploadPingImage = {
  address: 'POST /files/pin-image/:pingId',
  auth: 'required',
  upload: { maxBytes: runtime.fileLimits.pingImageBytes, tooLarge: 'ping_image_too_large' },
  tag: 'files',
  summary:
    "Set the picture of the caller's ping: JPEG, PNG, WebP, GIF or AVIF; stored at a reduced size, without metadata",
  params: PingParam,
  replies: { 200: HasImage },
  refusals: [
    'ping_not_found',
    'ping_image_not_owned',
    'ping_image_too_large',
    'not_an_image',
    'storage_full',
    'disk_low',
    'server_busy',
  ],
  rateLimits: [{ by: 'person', max: 120, seconds: 3600 }],
} as const satisfies Operation

export const deletePingImage = {
  address: 'DELETE /files/pin-image/:pingId',
  auth: 'required',
  tag: 'files',
  summary: "Delete the picture of the caller's ping; idempotent",
  params: PingParam,
  replies: { 204: NoContent },
  refusals: ['ping_not_found', 'ping_image_not_owned'],
} as const satisfies Operation

/** Existing clients write the ping's id first or last. The server ignores the other id. */
export const getPingImage = {
  address: 'GET /files/pin-image/:a/:b',
  auth: 'required',
  content: 'image/webp',
  tag: 'files',
  summary: 'Get the picture of a ping; of the two ids, one must be a ping that the caller may see',
  params: Type.Object({ a: PingId, b: PingId }),
  query: Size,
  replies: { 200: Bytes },
  refusals: ['image_not_found'],
} as const satisfies Operation

/** A photo that was uploaded and not sent. It can be sent once, by its uploader, in its conversation, until `expires_at`. */
export const UnsentPhoto = Type.Object({
  photo_id: PhotoId,
  width: Type.Integer(),
  height: Type.Integer(),
  expires_at: Timestamp,
})
export type UnsentPhoto = Static<typeof UnsentPhoto>

export const uploadMessagePhoto = {
  address: 'POST /messages/conversations/:id/photos',
  auth: 'required',
  upload: { maxBytes: runtime.fileLimits.messagePhotoBytes, tooLarge: 'message_photo_too_large' },
  tag: 'files',
  summary:
    'Upload a photo to send with a message: JPEG, PNG, WebP, GIF or AVIF; stored at a reduced size, without metadata',
  params: Type.Object({ id: ConversationId }),
  replies: { 201: UnsentPhoto },
  refusals: [
    'conversation_not_found',
    'not_messageable',
    'message_photo_too_large',
    'not_an_image',
    'storage_full',
    'disk_low',
    'server_busy',
  ],
  rateLimits: [{ by: 'person', max: 60, seconds: 3600 }],
} as const satisfies Operation

export const getMessagePhoto = {
  address: 'GET /files/message-photo/:messageId',
  auth: 'required',
  content: 'image/webp',
  tag: 'files',
  summary: 'Get the photo of a message that the caller may read',
  params: Type.Object({ messageId: MessageId }),
  query: Size,
  replies: { 200: Bytes },
  refusals: ['message_not_found', 'image_not_found'],
} as const satisfies Operation
