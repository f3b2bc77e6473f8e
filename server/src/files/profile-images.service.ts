import { fileLimits, type HasImage } from '@hither/contract/files.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { type Content } from '../platform/content.ts'
import { type Db } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import { type Upload } from '../platform/uploads.ts'
import { isVisibleTo, setHasImage } from '../users/users.service.ts'
import { deleteImage } from './files.queries.ts'
import { type FilesDeps, openImage, removeImage, replaceImage, type Size } from './files.service.ts'

const sizes = { fullPx: fileLimits.profileImagePx, thumbPx: fileLimits.profileThumbPx }

export async function uploadProfileImage(deps: FilesDeps, userId: UserId, upload: Upload): Promise<HasImage> {
  await replaceImage(deps, { userId }, upload, sizes, (db, announce) => setHasImage(deps, db, announce, userId, true))
  return { has_image: true }
}

export async function deleteProfileImage(deps: FilesDeps, userId: UserId): Promise<void> {
  await removeImage(deps, { userId }, (db, announce) => setHasImage(deps, db, announce, userId, false))
}

/** Nobody, someone blocked by either side, and someone without a picture are refused alike. */
export async function getProfileImage(deps: FilesDeps, viewerId: UserId, userId: UserId, size: Size): Promise<Content> {
  if (!(await isVisibleTo(deps.pool, viewerId, userId))) throw new Refusal('image_not_found')
  return openImage(deps, { userId }, size)
}

/** Joins the caller's transaction. Deletes the picture, and announces nothing. */
export async function eraseProfileImage(db: Db, userId: UserId): Promise<void> {
  await deleteImage(db, { userId })
}
