import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { type Db } from '../platform/database.ts'

/** Whose picture: a person's or a ping's. */
export type ImageOwner = { readonly userId: UserId } | { readonly pingId: PingId }

export interface ImageRow {
  storage_key: string
  thumb_storage_key: string
  hash: string
  width: number
  height: number
  bytes: number
  thumb_bytes: number
}

/** Whether the viewer may see it has been asked before: a picture is seen by whoever sees its owner. */
export async function findImage(db: Db, owner: ImageOwner): Promise<ImageRow | undefined> {
  const [row] = await db<ImageRow[]>`
    select storage_key, thumb_storage_key, hash, width, height, bytes, thumb_bytes
    from images where ${isOf(db, owner)}`
  return row
}

export async function insertImage(
  db: Db,
  owner: ImageOwner,
  image: ImageRow & { id: string; now: Date },
): Promise<void> {
  const userId = 'userId' in owner ? owner.userId : null
  const pingId = 'pingId' in owner ? owner.pingId : null
  await db`
    insert into images (
      id, user_id, ping_id, storage_key, thumb_storage_key, hash, width, height, bytes, thumb_bytes, created_at
    ) values (
      ${image.id}, ${userId}, ${pingId}, ${image.storage_key}, ${image.thumb_storage_key}, ${image.hash},
      ${image.width}, ${image.height}, ${image.bytes}, ${image.thumb_bytes}, ${image.now})`
}

/** The trigger of the table puts its files among those to erase. */
export async function deleteImage(db: Db, owner: ImageOwner): Promise<void> {
  await db`delete from images where ${isOf(db, owner)}`
}

function isOf(db: Db, owner: ImageOwner) {
  return 'userId' in owner ? db`user_id = ${owner.userId}` : db`ping_id = ${owner.pingId}`
}

export async function insertErasures(db: Db, storageKeys: readonly string[], dueAt: Date): Promise<void> {
  await db`
    insert into erasures (storage_key, due_at)
    select storage_key, ${dueAt}::timestamptz from unnest(${storageKeys}::text[]) as storage_key`
}

/** Answers how many of them still stood there. */
export async function deleteErasures(db: Db, storageKeys: readonly string[]): Promise<number> {
  const { count } = await db`delete from erasures where storage_key = any(${storageKeys}::text[])`
  return count
}

export async function updateErasures(db: Db, storageKeys: readonly string[], dueAt: Date): Promise<void> {
  await db`update erasures set due_at = ${dueAt} where storage_key = any(${storageKeys}::text[])`
}

export interface Erasure {
  storage_key: string
  attempts: number
}

/** Takes those that are due, for whoever asks first; they are due again at `leaseUntil` unless they are done by then. */
export async function claimErasures(db: Db, claim: { now: Date; leaseUntil: Date; limit: number }): Promise<Erasure[]> {
  return db<Erasure[]>`
    update erasures set due_at = ${claim.leaseUntil}, attempts = attempts + 1
    where storage_key in (
      select storage_key from erasures where due_at <= ${claim.now} order by due_at limit ${claim.limit}
      for update skip locked)
    returning storage_key, attempts`
}
