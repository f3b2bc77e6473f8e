import { type Static, Type } from 'typebox'
import { PingId, UserId } from './ids.ts'
import { type Operation } from './operation.ts'
import { refusals } from './refusals.ts'
import { Bytes, NoContent, oneOf } from './values.ts'

export const fileLimits = {
  profileImageBytes: 5_242_880,
  pingImageBytes: 10_485_760,
  /** What a 50-megapixel camera makes. */
  pixels: 8192 * 6144,
  /** The longer side of what is stored, in pixels. */
  profileImagePx: 512,
  profileThumbPx: 128,
  pingImagePx: 1600,
  pingThumbPx: 320,
} as const

/** What is taken, by content and not by name or by what the sender calls it. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const

export const fileTexts = {
  notAnImage: refusals.not_an_image.detail,
  profileImageTooLarge: refusals.profile_image_too_large.detail,
  pingImageTooLarge: refusals.ping_image_too_large.detail,
  imageBroken: 'This image is damaged or incomplete. Please select another one.',
  imageTooManyPixels: 'This image has too many pixels. Please select a smaller one.',
  uploadFailed: 'Failed to upload image. Please try again.',
  removeFailed: 'Failed to remove image. Please try again.',
  pingImageUploadFailed: 'Ping created but image upload failed. You can try adding an image later.',
  pingIdMissing: 'Ping created but missing ID for image upload',
} as const

/** `thumb` asks for the small rendition. */
const Size = Type.Object({ size: Type.Optional(oneOf(['thumb', 'full'])) })

const PingParam = Type.Object({ pingId: PingId })

export const HasImage = Type.Object({ has_image: Type.Literal(true) })
export type HasImage = Static<typeof HasImage>

export const uploadProfileImage = {
  method: 'POST',
  path: '/files/profile-image',
  tag: 'files',
  summary: "Set the caller's picture: JPEG, PNG, WebP, GIF or AVIF; stored scaled down, without metadata",
  auth: 'required',
  upload: { maxBytes: fileLimits.profileImageBytes, tooLarge: 'profile_image_too_large' },
  replies: { 200: HasImage },
  refusals: ['profile_image_too_large', 'not_an_image', 'server_busy'],
  rateLimits: [{ by: 'person', max: 60, seconds: 3600 }],
} as const satisfies Operation

export const deleteProfileImage = {
  method: 'DELETE',
  path: '/files/profile-image',
  tag: 'files',
  summary: "Erase the caller's picture; idempotent",
  auth: 'required',
  replies: { 204: NoContent },
} as const satisfies Operation

export const getOwnProfileImage = {
  method: 'GET',
  path: '/files/profile-image/me',
  tag: 'files',
  summary: "The caller's picture",
  auth: 'required',
  query: Size,
  content: 'image/webp',
  replies: { 200: Bytes },
  refusals: ['image_not_found'],
} as const satisfies Operation

export const getProfileImage = {
  method: 'GET',
  path: '/files/profile-image/:userId',
  tag: 'files',
  summary: "A person's picture",
  auth: 'required',
  params: Type.Object({ userId: UserId }),
  query: Size,
  content: 'image/webp',
  replies: { 200: Bytes },
  refusals: ['image_not_found'],
} as const satisfies Operation

export const uploadPingImage = {
  method: 'POST',
  path: '/files/pin-image/:pingId',
  tag: 'files',
  summary: 'Set the picture of an own ping: JPEG, PNG, WebP, GIF or AVIF; stored scaled down, without metadata',
  auth: 'required',
  params: PingParam,
  upload: { maxBytes: fileLimits.pingImageBytes, tooLarge: 'ping_image_too_large' },
  replies: { 200: HasImage },
  refusals: ['ping_not_found', 'ping_image_not_owned', 'ping_image_too_large', 'not_an_image', 'server_busy'],
  rateLimits: [{ by: 'person', max: 120, seconds: 3600 }],
} as const satisfies Operation

export const deletePingImage = {
  method: 'DELETE',
  path: '/files/pin-image/:pingId',
  tag: 'files',
  summary: 'Erase the picture of an own ping; idempotent',
  auth: 'required',
  params: PingParam,
  replies: { 204: NoContent },
  refusals: ['ping_not_found', 'ping_image_not_owned'],
} as const satisfies Operation

/** Clients write the ping's id first or last: the other id is not looked at. */
export const getPingImage = {
  method: 'GET',
  path: '/files/pin-image/:a/:b',
  tag: 'files',
  summary: 'The picture of the one of the two ids that is a ping the caller may see',
  auth: 'required',
  params: Type.Object({ a: PingId, b: PingId }),
  query: Size,
  content: 'image/webp',
  replies: { 200: Bytes },
  refusals: ['image_not_found'],
} as const satisfies Operation
