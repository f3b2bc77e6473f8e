import type { Address } from '../operation.ts'
import { refusals } from '../refusals.ts'

export const fileLimits = {
  profileImageBytes: 5_242_880,
  pingImageBytes: 10_485_760,
  /** The size of a picture of a 50-megapixel camera. */
  pixels: 8192 * 6144,
  /** The longer side of the stored picture, in pixels. */
  profileImagePx: 512,
  profileThumbPx: 128,
  pingImagePx: 1600,
  pingThumbPx: 320,
  messagePhotoBytes: 10_485_760,
  messagePhotoPx: 1600,
  messagePhotoThumbPx: 320,
  /** How long an uploaded photo can be sent. */
  unsentPhotoMs: 86_400_000,
} as const

export const fileTexts = {
  notAnImage: refusals.not_an_image.detail,
  profileImageTooLarge: refusals.profile_image_too_large.detail,
  pingImageTooLarge: refusals.ping_image_too_large.detail,
  messagePhotoTooLarge: refusals.message_photo_too_large.detail,
  imageBroken: 'This image is damaged or incomplete. Please select another one.',
  imageTooManyPixels: 'This image has too many pixels. Please select a smaller one.',
  uploadFailed: 'Failed to upload image. Please try again.',
  removeFailed: 'Failed to remove image. Please try again.',
  pingImageUploadFailed: 'Ping created but image upload failed. You can try adding an image later.',
  pingIdMissing: 'Ping created but missing ID for image upload',
} as const

export const uploadProfileImage = {
  method: 'POST',
  path: '/files/profile-image',
  auth: 'required',
  upload: { maxBytes: fileLimits.profileImageBytes, tooLarge: 'profile_image_too_large' },
} as const satisfies Address

export const deleteProfileImage = {
  method: 'DELETE',
  path: '/files/profile-image',
  auth: 'required',
} as const satisfies Address

export const getOwnProfileImage = {
  method: 'GET',
  path: '/files/profile-image/me',
  auth: 'required',
  content: 'image/webp',
} as const satisfies Address

export const getProfileImage = {
  method: 'GET',
  path: '/files/profile-image/:userId',
  auth: 'required',
  content: 'image/webp',
} as const satisfies Address

export const uploadPingImage = {
  method: 'POST',
  path: '/files/pin-image/:pingId',
  auth: 'required',
  upload: { maxBytes: fileLimits.pingImageBytes, tooLarge: 'ping_image_too_large' },
} as const satisfies Address

export const deletePingImage = {
  method: 'DELETE',
  path: '/files/pin-image/:pingId',
  auth: 'required',
} as const satisfies Address

export const getPingImage = {
  method: 'GET',
  path: '/files/pin-image/:a/:b',
  auth: 'required',
  content: 'image/webp',
} as const satisfies Address

export const uploadMessagePhoto = {
  method: 'POST',
  path: '/messages/conversations/:id/photos',
  auth: 'required',
  upload: { maxBytes: fileLimits.messagePhotoBytes, tooLarge: 'message_photo_too_large' },
} as const satisfies Address

export const getMessagePhoto = {
  method: 'GET',
  path: '/files/message-photo/:messageId',
  auth: 'required',
  content: 'image/webp',
} as const satisfies Address
