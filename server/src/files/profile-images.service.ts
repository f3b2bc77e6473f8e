import type { HasImage } from '@hither/contract/files.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { fileLimits } from '@hither/contract/runtime/files.ts'
import type { Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { Content } from '../platform/http/content.ts'
import type { Upload } from '../platform/http/uploads.ts'
import { isVisibleTo, setHasImage } from '../users/users.service.ts'
import { deleteImage } from './files.queries.ts'
import { type FilesDeps, openImage, removeImage, replaceImage, type Size } from './files.service.ts'

const sizes = { fullPx: fileLimits.profileImagePx, thumbPx: fileLimits.profileThumbPx }

export async function uploadProfileImage(deps: FilesDeps, userId: UserId, upload: Upload): Promise<HasImage> {
  await replaceImage(deps, { userId }, { uploadedBy: userId, upload, sizes }, (tx, announce) =>
    setHasImage(deps, tx, announce, userId, true),
  )
  return { has_image: true }
}

export async function deleteProfileImage(deps: FilesDeps, userId: UserId): Promise<void> {
  await removeImage(deps, { userId }, (tx, announce) => setHasImage(deps, tx, announce, userId, false))
}

/**
 * Opens the picture of a user. An unknown user, a block in either direction and a missing picture get the same refusal.
 */
export async function getProfileImage(deps: FilesDeps, viewerId: UserId, userId: UserId, size: Size): Promise<Content> {
  if (!(await isVisibleTo(deps.pool, viewerId, userId))) throw new Refusal('image_not_found')
  return openImage(deps, { userId }, size)
}

/** Deletes the picture of a user and announces nothing. */
export async function eraseProfileImage(tx: Tx, userId: UserId): Promise<void> {
  await deleteImage(tx, { userId })
}
