import { createHash, randomBytes } from 'node:crypto'
import { fileTexts } from '@hither/contract/files.ts'
import { type Announce, type Changes } from '../platform/changes.ts'
import { type Content } from '../platform/content.ts'
import { type Db, type Pool } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { ImageError, type Images, type Renditions, renditionType, type Sizes } from '../platform/images.ts'
import { type Presence } from '../platform/presence.ts'
import { fault, InvalidInput, Refusal } from '../platform/refusal.ts'
import { type Storage } from '../platform/storage.ts'
import { type Upload } from '../platform/uploads.ts'
import * as queries from './files.queries.ts'

export interface FilesDeps {
  pool: Pool
  changes: Changes
  presence: Presence
  storage: Storage
  images: Images
  now: () => Date
}

export type ImageOwner = queries.ImageOwner

type Claim = (db: Db, announce: Announce) => Promise<void>

export type Size = 'thumb' | 'full' | undefined

/** Longer than writing a picture's files takes: after it, they are what a crash left behind. */
export const orphanedAfterMs = 3_600_000

/** Replaces the owner's picture by the upload. `claim` runs in the transaction, first: it holds the owner, or refuses. */
export async function replaceImage(
  deps: FilesDeps,
  owner: queries.ImageOwner,
  upload: Upload,
  sizes: Sizes,
  claim: Claim,
): Promise<void> {
  const renditions = await upload.read((path) => render(deps.images, path, sizes))
  await keepImage(deps, owner, renditions, claim)
}

/** Fine where there is none. */
export async function removeImage(
  { pool, changes }: FilesDeps,
  owner: queries.ImageOwner,
  claim: Claim,
): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    await claim(db, announce)
    await queries.deleteImage(db, owner)
  })
}

/** Whether the viewer may see the owner is for the caller to have asked. */
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
    const text = isBomb ? fileTexts.imageTooManyPixels : fileTexts.imageBroken
    throw new InvalidInput(fault('body', 'file')(text, isBomb ? 'image_too_large' : 'image_broken'))
  }
}

/**
 * Writes the files, then the row. The files stand among those to erase from before they are written until the row is
 * there, so that neither a crash nor an owner who has gone meanwhile leaves any behind.
 */
async function keepImage(
  { pool, changes, storage, now }: FilesDeps,
  owner: queries.ImageOwner,
  { full, thumb }: Renditions,
  claim: Claim,
): Promise<void> {
  const [storage_key, thumb_storage_key] = [newStorageKey(), newStorageKey()]
  const keys = [storage_key, thumb_storage_key]
  const orphanedAt = new Date(now().getTime() + orphanedAfterMs)
  await changes.commit(pool, (db) => queries.insertErasures(db, keys, orphanedAt))
  try {
    await storage.put(storage_key, full.bytes, renditionType)
    await storage.put(thumb_storage_key, thumb.bytes, renditionType)
    await changes.commit(pool, async (db, announce) => {
      await claim(db, announce)
      await queries.deleteImage(db, owner)
      await queries.insertImage(db, owner, {
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
      if ((await queries.deleteErasures(db, keys)) < keys.length) throw new Error('The files were erased meanwhile')
    })
  } catch (error) {
    await changes.commit(pool, (db) => queries.updateErasures(db, keys, now()))
    throw error
  }
}

/** 192 random bits: the name tells nothing, and nobody comes upon it by trying. */
export function newStorageKey(): string {
  return `${randomBytes(24).toString('hex')}.webp`
}

function contentOf(storage: Storage, image: queries.ImageRow, size: Size): Content {
  const isThumb = size === 'thumb'
  return {
    hash: isThumb ? `${image.hash}-thumb` : image.hash,
    bytes: isThumb ? image.thumb_bytes : image.bytes,
    open: async () => {
      const stream = await storage.get(isThumb ? image.thumb_storage_key : image.storage_key)
      // Replaced or erased since the row was read.
      if (!stream) throw new Refusal('image_not_found')
      return stream
    },
  }
}
