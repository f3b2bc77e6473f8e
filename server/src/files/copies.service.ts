import { type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Changes } from '../platform/changes.ts'
import { type Content } from '../platform/content.ts'
import { type Db, type Pool } from '../platform/database.ts'
import { renditionType } from '../platform/images.ts'
import { Refusal } from '../platform/refusal.ts'
import { type Storage } from '../platform/storage.ts'
import * as queries from './files.queries.ts'
import { newStorageKey, orphanedAfterMs } from './files.service.ts'

export interface CopiesDeps {
  pool: Pool
  changes: Changes
  storage: Storage
  now: () => Date
}

/** A file with the bytes of a picture, and the hash of the picture it was made of. */
export interface ImageCopy {
  storage_key: string
  hash: string
  bytes: number
}

/**
 * Copies the owner's picture to a file of its own, and hands it to `keep` in the transaction that makes the row which names
 * it; `null` where there is none, or nobody to ask. Where `keep` has no use for it, or fails, the file goes again.
 */
export async function copyImage<T>(
  { pool, changes, storage, now }: CopiesDeps,
  owner: queries.ImageOwner | null,
  keep: (db: Db, copy: ImageCopy | null) => Promise<T | undefined>,
): Promise<T | undefined> {
  const image = owner && (await queries.findImage(pool, owner))
  const stream = image ? await storage.get(image.storage_key) : null
  // Replaced or erased since the row was read.
  if (!image || !stream) return changes.commit(pool, (db) => keep(db, null))
  const key = newStorageKey()
  const orphanedAt = new Date(now().getTime() + orphanedAfterMs)
  await changes.commit(pool, (db) => queries.insertErasures(db, [key], orphanedAt))
  try {
    await storage.put(key, await bytesOf(stream), renditionType)
    const kept = await changes.commit(pool, async (db) => {
      const result = await keep(db, { storage_key: key, hash: image.hash, bytes: image.bytes })
      if (result !== undefined && (await queries.deleteErasures(db, [key])) === 0)
        throw new Error('The file was erased meanwhile')
      return result
    })
    if (kept === undefined) await changes.commit(pool, (db) => queries.updateErasures(db, [key], now()))
    return kept
  } catch (error) {
    await changes.commit(pool, (db) => queries.updateErasures(db, [key], now()))
    throw error
  }
}

export function openStored(storage: Storage, { storage_key, hash, bytes }: ImageCopy): Content {
  return {
    hash,
    bytes,
    open: async () => {
      const stream = await storage.get(storage_key)
      if (!stream) throw new Refusal('image_not_found')
      return stream
    },
  }
}

/** Joins the caller's transaction. Fine where there is none; its owner is for them to tell. */
export async function eraseImage(db: Db, owner: queries.ImageOwner): Promise<void> {
  await queries.deleteImage(db, owner)
}

/** A stored picture is a few hundred kilobytes at most. */
function bytesOf(stream: Readable): Promise<Uint8Array> {
  return buffer(stream)
}
