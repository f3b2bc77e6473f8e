import { fileLimits, type HasImage } from '@hither/contract/files.ts'
import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { findSight, setPingHasImage } from '../pings/pings.service.ts'
import { type Content } from '../platform/content.ts'
import { type Db } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import { type Upload } from '../platform/uploads.ts'
import { type FilesDeps, openImage, removeImage, replaceImage, type Size } from './files.service.ts'

const sizes = { fullPx: fileLimits.pingImagePx, thumbPx: fileLimits.pingThumbPx }

/** Owner only. */
export async function uploadPingImage(
  deps: FilesDeps,
  callerId: UserId,
  pingId: PingId,
  upload: Upload,
): Promise<HasImage> {
  // Before the ten megabytes, and again with them: the ping may be gone by then.
  await assertOwnPing(deps.pool, callerId, pingId, deps.now())
  await replaceImage(deps, { pingId }, upload, sizes, async (db, announce) => {
    await setPingHasImage(db, announce, pingId, true, deps.now())
  })
  return { has_image: true }
}

/** Owner only. */
export async function deletePingImage(deps: FilesDeps, callerId: UserId, pingId: PingId): Promise<void> {
  await removeImage(deps, { pingId }, async (db, announce) => {
    await assertOwnPing(db, callerId, pingId, deps.now())
    await setPingHasImage(db, announce, pingId, false, deps.now())
  })
}

/** Of the one of `ids` that is a ping the viewer may see. */
export async function getPingImage(
  deps: FilesDeps,
  viewerId: UserId,
  ids: readonly PingId[],
  size: Size,
): Promise<Content> {
  for (const pingId of ids) {
    if (await findSight(deps.pool, viewerId, pingId, deps.now())) return openImage(deps, { pingId }, size)
  }
  throw new Refusal('image_not_found')
}

async function assertOwnPing(db: Db, callerId: UserId, pingId: PingId, now: Date): Promise<void> {
  const sight = await findSight(db, callerId, pingId, now)
  if (sight === 'owner') return
  throw new Refusal(sight === 'invitee' ? 'ping_image_not_owned' : 'ping_not_found')
}
