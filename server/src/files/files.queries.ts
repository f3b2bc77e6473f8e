import type { ConversationId, MessageId, PhotoId, PingId, UserId } from '@hither/contract/ids.ts'
import type { Db, Tx } from '../platform/db/database.ts'

/** The owner of a picture: a user, a ping or a message. */
export type ImageOwner = { readonly userId: UserId } | { readonly pingId: PingId } | { readonly messageId: MessageId }

export interface ImageRow {
  storage_key: string
  thumb_storage_key: string
  hash: string
  width: number
  height: number
  bytes: number
  thumb_bytes: number
}

/**
 * Finds the picture of an owner. The caller must check visibility: a picture is visible to the users who see its owner.
 */
export async function findImage(db: Db, owner: ImageOwner): Promise<ImageRow | undefined> {
  const [row] = await db<ImageRow[]>`
    select storage_key, thumb_storage_key, hash, width, height, bytes, thumb_bytes
    from images where ${isOf(db, owner)}`
  return row
}

export interface NewImageRow extends ImageRow {
  id: string
  now: Date
}

export async function insertImage(
  tx: Tx,
  owner: Exclude<ImageOwner, { messageId: MessageId }>,
  image: NewImageRow,
): Promise<void> {
  const userId = 'userId' in owner ? owner.userId : null
  const pingId = 'pingId' in owner ? owner.pingId : null
  await tx`
    insert into images (
      id, user_id, ping_id, storage_key, thumb_storage_key, hash, width, height, bytes, thumb_bytes, created_at
    ) values (
      ${image.id}, ${userId}, ${pingId}, ${image.storage_key}, ${image.thumb_storage_key}, ${image.hash},
      ${image.width}, ${image.height}, ${image.bytes}, ${image.thumb_bytes}, ${image.now})`
}

/** Makes the uploads of one person wait for each other until the transaction ends, so that their bytes are counted. */
export async function lockShare(tx: Tx, userId: UserId): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('pictures of ' || ${userId}, 0))`
}

/** The bytes of all stored pictures of a person. */
export async function getPictureBytes(db: Db, userId: UserId): Promise<number> {
  const [row] = await db<[{ bytes: number }]>`select picture_bytes(${userId}::uuid)::float8 as bytes`
  return row.bytes
}

/** Deletes a picture. A trigger of the table queues its files for deletion. */
export async function deleteImage(tx: Tx, owner: ImageOwner): Promise<void> {
  await tx`delete from images where ${isOf(tx, owner)}`
}

function isOf(db: Db, owner: ImageOwner) {
  if ('userId' in owner) return db`user_id = ${owner.userId}`
  return 'pingId' in owner ? db`ping_id = ${owner.pingId}` : db`message_id = ${owner.messageId}`
}

/** Inserts a photo that its uploader can send with a message of this conversation. */
export async function insertUnsentPhoto(
  tx: Tx,
  { conversationId, uploadedBy }: { conversationId: ConversationId; uploadedBy: UserId },
  image: NewImageRow & { id: PhotoId },
): Promise<void> {
  await tx`
    insert into images (
      id, chat_id, uploaded_by, storage_key, thumb_storage_key, hash, width, height, bytes, thumb_bytes, created_at
    ) values (
      ${image.id}, ${conversationId}, ${uploadedBy}, ${image.storage_key}, ${image.thumb_storage_key}, ${image.hash},
      ${image.width}, ${image.height}, ${image.bytes}, ${image.thumb_bytes}, ${image.now})`
}

/** Deletes at most `limit` photos that were uploaded before and not sent, and returns their number. */
export async function deleteUnsentPhotos(tx: Tx, before: Date, limit: number): Promise<number> {
  const { count } = await tx`
    delete from images where id in (
      select id from images where chat_id is not null and created_at <= ${before}
      order by created_at limit ${limit} for update skip locked)`
  return count
}

export async function insertErasures(tx: Tx, storageKeys: readonly string[], dueAt: Date): Promise<void> {
  await tx`
    insert into erasures (storage_key, due_at)
    select storage_key, ${dueAt}::timestamptz from unnest(${storageKeys}::text[]) as storage_key`
}

/** Removes files from the deletion queue. Returns how many were still in it. */
export async function deleteErasures(tx: Tx, storageKeys: readonly string[]): Promise<number> {
  const { count } = await tx`delete from erasures where storage_key = any(${storageKeys}::text[])`
  return count
}

export async function updateErasures(tx: Tx, storageKeys: readonly string[], dueAt: Date): Promise<void> {
  await tx`update erasures set due_at = ${dueAt} where storage_key = any(${storageKeys}::text[])`
}

export interface Erasure {
  storage_key: string
  attempts: number
}

/**
 * Claims due files. Of concurrent callers each file goes to one. The files are due again at `leaseUntil` unless they
 * are deleted by then.
 */
export async function claimErasures(tx: Tx, claim: { now: Date; leaseUntil: Date; limit: number }): Promise<Erasure[]> {
  return tx<Erasure[]>`
    update erasures set due_at = ${claim.leaseUntil}, attempts = attempts + 1
    where storage_key in (
      select storage_key from erasures where due_at <= ${claim.now} order by due_at limit ${claim.limit}
      for update skip locked)
    returning storage_key, attempts`
}

/** Counts the stored files that are due and not deleted. */
export async function getWaiting(db: Db, now: Date): Promise<{ count: number; oldest_s: number }> {
  const [row] = await db<[{ count: number; oldest_s: number }]>`
    select count(*)::integer as count,
      coalesce(extract(epoch from ${now}::timestamptz - min(due_at) filter (where isfinite(due_at))), 0)::double precision as oldest_s
    from erasures where due_at <= ${now}`
  return row
}
