import type { HasImage } from '@hither/contract/files.ts'
import type { PingId, UserId } from '@hither/contract/ids.ts'
import { fileLimits } from '@hither/contract/runtime/files.ts'
import { setPingHasImage } from '../pings/ping-extras.service.ts'
import { findAccess } from '../pings/pings.service.ts'
import type { Db } from '../platform/db/database.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { Content } from '../platform/http/content.ts'
import type { Upload } from '../platform/http/uploads.ts'
import { type FilesDeps, openImage, removeImage, replaceImage, type Size } from './files.service.ts'

const sizes = { fullPx: fileLimits.pingImagePx, thumbPx: fileLimits.pingThumbPx }

/** Sets the picture of a ping. Owner only. */
export async function uploadPingImage(
  deps: FilesDeps,
  callerId: UserId,
  pingId: PingId,
  upload: Upload,
): Promise<HasImage> {
  // Checked before the upload is read, which may have ten megabytes, and again in the transaction: the ping may be
  // deleted by then.
  await assertOwnPing(deps.pool, callerId, pingId, deps.now())
  await replaceImage(deps, { pingId }, { uploadedBy: callerId, upload, sizes }, async (tx, announce) => {
    await setPingHasImage(tx, announce, pingId, true, deps.now())
  })
  return { has_image: true }
}

/** Deletes the picture of a ping. Owner only. */
export async function deletePingImage(deps: FilesDeps, callerId: UserId, pingId: PingId): Promise<void> {
  await removeImage(deps, { pingId }, async (tx, announce) => {
    await assertOwnPing(tx, callerId, pingId, deps.now())
    await setPingHasImage(tx, announce, pingId, false, deps.now())
  })
}

/** Opens the picture of the one of `ids` that is a ping the viewer may see. */
export async function getPingImage(
  deps: FilesDeps,
  viewerId: UserId,
  ids: readonly PingId[],
  size: Size,
): Promise<Content> {
  for (const pingId of ids) {
    if (await findAccess(deps.pool, viewerId, pingId, deps.now())) return openImage(deps, { pingId }, size)
  }
  throw new Refusal('image_not_found')
}

async function assertOwnPing(db: Db, callerId: UserId, pingId: PingId, now: Date): Promise<void> {
  const access = await findAccess(db, callerId, pingId, now)
  if (access === 'owner') return
  throw new Refusal(access === 'invitee' ? 'ping_image_not_owned' : 'ping_not_found')
}
