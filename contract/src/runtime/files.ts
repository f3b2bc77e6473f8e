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
