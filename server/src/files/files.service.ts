import { createHash, randomBytes } from 'node:crypto'
import type { ConversationId, PhotoId, UserId } from '@hither/contract/ids.ts'
import { fileLimits } from '@hither/contract/runtime/files.ts'
import type { Announce, Changes } from '../events/changes.ts'
import type { Pool, Tx } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { fieldError, InvalidInput, Refusal } from '../platform/errors/refusal.ts'
import type { Content } from '../platform/http/content.ts'
import type { Upload } from '../platform/http/uploads.ts'
import { ImageError, type Images, type Renditions, renditionType, type Sizes } from '../platform/media/images.ts'
import type { Storage } from '../platform/media/storage.ts'
import type { Presence } from '../presence/presence.ts'
import * as queries from './files.queries.ts'

export interface FilesDeps {
  pool: Pool
  changes: Changes
  presence: Presence
  storage: Storage
  images: Images
  /** The bytes that the stored pictures of one person may have. */
  storagePerPerson: number
  now: () => Date
}

export type ImageOwner = queries.ImageOwner
export type ImageRow = queries.ImageRow

type OwnerWithOneImage = Parameters<typeof queries.insertImage>[1]

type Claim = (tx: Tx, announce: Announce) => Promise<void>

export type Size = 'thumb' | 'full' | undefined

/** Longer than writing the files of a picture takes. Files without a row that are older were left by a crash. */
export const orphanedAfterMs = 3_600_000

/**
 * Replaces the owner's picture with the upload. `claim` runs first in the transaction: it locks the owner, or refuses.
 */
export async function replaceImage(
  deps: FilesDeps,
  owner: OwnerWithOneImage,
  { uploadedBy, upload, sizes }: { uploadedBy: UserId; upload: Upload; sizes: Sizes },
  claim: Claim,
): Promise<void> {
  await assertShareLeft(deps, uploadedBy)
  const renditions = await upload.read((path) => render(deps.images, path, sizes))
  await storeImage(deps, uploadedBy, renditions, async (tx, announce, image) => {
    await claim(tx, announce)
    await queries.deleteImage(tx, owner)
    await queries.insertImage(tx, owner, image)
  })
}

/** Refuses before the upload is read, which may have ten megabytes. The exact check is in the transaction. */
async function assertShareLeft({ pool, storagePerPerson }: FilesDeps, userId: UserId): Promise<void> {
  if ((await queries.getPictureBytes(pool, userId)) >= storagePerPerson) throw new Refusal('storage_full')
}

/** A photo that was stored and not sent. */
interface StoredPhoto {
  readonly id: PhotoId
  readonly width: number
  readonly height: number
  readonly storedAt: Date
}

/** Stores the upload as a photo that can be sent. `claim` runs first in the transaction, and refuses. */
export async function storeUnsentPhoto(
  deps: FilesDeps,
  owner: { readonly conversationId: ConversationId; readonly uploadedBy: UserId },
  upload: Upload,
  claim: Claim,
): Promise<StoredPhoto> {
  await assertShareLeft(deps, owner.uploadedBy)
  const renditions = await upload.read((path) => render(deps.images, path, photoSizes))
  const { width, height } = renditions.full
  const photo = { id: newId<PhotoId>(), width, height, storedAt: deps.now() }
  await storeImage(deps, owner.uploadedBy, renditions, async (tx, announce, image) => {
    await claim(tx, announce)
    await queries.insertUnsentPhoto(tx, owner, { ...image, id: photo.id, now: photo.storedAt })
  })
  return photo
}

const photoSizes = { fullPx: fileLimits.messagePhotoPx, thumbPx: fileLimits.messagePhotoThumbPx }

/** Deletes at most `limit` photos that were not sent in time, and returns their number. */
export function eraseUnsentPhotos(tx: Tx, now: Date, limit: number): Promise<number> {
  return queries.deleteUnsentPhotos(tx, new Date(now.getTime() - fileLimits.unsentPhotoMs), limit)
}

/** Deletes a picture. Succeeds without one. */
export async function removeImage(
  { pool, changes }: FilesDeps,
  owner: queries.ImageOwner,
  claim: Claim,
): Promise<void> {
  await changes.commit(pool, async (tx, announce) => {
    await claim(tx, announce)
    await queries.deleteImage(tx, owner)
  })
}

/** Opens a picture. The caller must check that the viewer may see the owner. */
export async function openImage({ pool, storage }: FilesDeps, owner: queries.ImageOwner, size: Size): Promise<Content> {
  const image = await queries.findImage(pool, owner)
  if (!image) throw new Refusal('image_not_found')
  return contentOf(storage, image, size)
}

async function render(images: Images, path: string, sizes: Sizes): Promise<Renditions> {
  try {
    return await images.render(path, sizes)
  } catch (error) {
    if (!(error instanceof ImageError)) throw error
    if (error.reason === 'not_an_image') throw new Refusal('not_an_image')
    const isBomb = error.reason === 'too_many_pixels'
    const text = isBomb ? 'image_too_large' : 'image_broken'
    throw new InvalidInput(fieldError('body', 'file')(text, isBomb ? 'image_too_large' : 'image_broken'))
  }
}

/**
 * Writes the files, then the row. The files are in the deletion queue from before they are written until the row
 * exists, so that neither a crash nor a deleted owner leaves any behind.
 */
async function storeImage(
  { pool, changes, storage, storagePerPerson, now }: FilesDeps,
  uploadedBy: UserId,
  { full, thumb }: Renditions,
  insert: (tx: Tx, announce: Announce, image: queries.NewImageRow) => Promise<void>,
): Promise<void> {
  const [storage_key, thumb_storage_key] = [newStorageKey(), newStorageKey()]
  const keys = [storage_key, thumb_storage_key]
  const orphanedAt = new Date(now().getTime() + orphanedAfterMs)
  await changes.commit(pool, (tx) => queries.insertErasures(tx, keys, orphanedAt))
  try {
    await storage.put(storage_key, full.bytes, renditionType)
    await storage.put(thumb_storage_key, thumb.bytes, renditionType)
    await changes.commit(pool, async (tx, announce) => {
      // Before all other locks of the transaction.
      await queries.lockShare(tx, uploadedBy)
      await insert(tx, announce, {
        id: newId(),
        storage_key,
        thumb_storage_key,
        hash: createHash('sha256').update(full.bytes).digest('base64url'),
        width: full.width,
        height: full.height,
        bytes: full.bytes.byteLength,
        thumb_bytes: thumb.bytes.byteLength,
        now: now(),
      })
      if ((await queries.getPictureBytes(tx, uploadedBy)) > storagePerPerson) throw new Refusal('storage_full')
      if ((await queries.deleteErasures(tx, keys)) < keys.length) throw new Error('The files were erased meanwhile')
    })
  } catch (error) {
    await changes.commit(pool, (tx) => queries.updateErasures(tx, keys, now()))
    throw error
  }
}

/** A storage key with 192 random bits: it reveals nothing and cannot be guessed. */
export function newStorageKey(): string {
  return `${randomBytes(24).toString('hex')}.webp`
}

/** The caller must check that the viewer may see the picture. */
export function contentOf(storage: Storage, image: queries.ImageRow, size: Size): Content {
  const isThumb = size === 'thumb'
  return {
    hash: isThumb ? `${image.hash}-thumb` : image.hash,
    bytes: isThumb ? image.thumb_bytes : image.bytes,
    open: async () => {
      const stream = await storage.get(isThumb ? image.thumb_storage_key : image.storage_key)
      // The picture was replaced or deleted after the row was read.
      if (!stream) throw new Refusal('image_not_found')
      return stream
    },
  }
}
