import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Changes } from '../events/changes.ts'
import type { Pool, Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { Content } from '../platform/http/content.ts'
import { renditionType } from '../platform/media/images.ts'
import type { Storage } from '../platform/media/storage.ts'
import * as queries from './files.queries.ts'
import { newStorageKey, orphanedAfterMs } from './files.service.ts'

export interface CopiesDeps {
  pool: Pool
  changes: Changes
  storage: Storage
  now: () => Date
}

/** A file with the bytes of a picture, and the hash of the original picture. */
export interface ImageCopy {
  storage_key: string
  hash: string
  bytes: number
}

/**
 * Copies the owner's picture to a new file and calls `keep` in the transaction that stores its name; with `null` if
 * there is no owner or no picture. The file is deleted again if `keep` does not use it or fails.
 */
export async function copyImage<T>(
  { pool, changes, storage, now }: CopiesDeps,
  owner: queries.ImageOwner | null,
  keep: (tx: Tx, copy: ImageCopy | null) => Promise<T | undefined>,
): Promise<T | undefined> {
  const image = owner && (await queries.findImage(pool, owner))
  const stream = image ? await storage.get(image.storage_key) : null
  // The picture was replaced or deleted after the row was read.
  if (!image || !stream) return changes.commit(pool, (tx) => keep(tx, null))
  const key = newStorageKey()
  const orphanedAt = new Date(now().getTime() + orphanedAfterMs)
  await changes.commit(pool, (tx) => queries.insertErasures(tx, [key], orphanedAt))
  try {
    await storage.put(key, await bytesOf(stream), renditionType)
    const result = await changes.commit(pool, async (tx) => {
      const value = await keep(tx, { storage_key: key, hash: image.hash, bytes: image.bytes })
      if (value !== undefined && (await queries.deleteErasures(tx, [key])) === 0)
        throw new Error('The file was erased meanwhile')
      return value
    })
    if (result === undefined) await changes.commit(pool, (tx) => queries.updateErasures(tx, [key], now()))
    return result
  } catch (error) {
    await changes.commit(pool, (tx) => queries.updateErasures(tx, [key], now()))
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

/**
 * Deletes a picture. Succeeds without a picture. The caller announces the change of the
 * owner.
 */
export async function eraseImage(tx: Tx, owner: queries.ImageOwner): Promise<void> {
  await queries.deleteImage(tx, owner)
}

/** Reads a stored picture, which has at most a few hundred kilobytes. */
function bytesOf(stream: Readable): Promise<Uint8Array> {
  return buffer(stream)
}
