import type { UserId } from '@hither/contract/ids.ts'
import type { Db, Pool, Tx } from '../platform/db/database.ts'

/** Records an erasure, a change of a block or a replaced password: what it is about, and only hashes of ids. */
export interface Tombstone {
  readonly kind: string
  readonly id_hash: string
  readonly erased_at: string
}

export async function listTombstones(db: Db, after: Date | null): Promise<Tombstone[]> {
  return db<Tombstone[]>`
    select kind, id_hash, erased_at from tombstones
    where ${after}::timestamptz is null or erased_at > ${after}::timestamptz order by erased_at, kind, id_hash`
}

/** Whether the time is in the future by the database's clock, which sets the times of tombstones. */
export async function isInFuture(db: Db, time: string): Promise<boolean> {
  const [row] = await db<[{ is_to_come: boolean }]>`select ${time}::timestamptz > now() as is_to_come`
  return row.is_to_come
}

export async function deleteTombstones(pool: Pool, before: Date): Promise<void> {
  await pool`delete from tombstones where erased_at < ${before}`
}

// The following queries erase rows of a restored database. They are here and not with the features, because no changes
// are published: the rows were erased before a client could see them again.

/** Returns which of these users exist in the restored database. */
export async function listRestoredUsers(tx: Tx, hashes: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from users where hash_of_id(id::text) = any (${hashes as string[]}::text[]) order by id`
  return rows.map(({ id }) => id)
}

export async function listRestoredMessages(tx: Tx, hashes: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from messages
    where deleted_at is null and hash_of_id(id::text) = any (${hashes as string[]}::text[]) order by id`
  return rows.map(({ id }) => id)
}

/** For a table whose rows have an id. */
export async function deleteRows(tx: Tx, table: string, hashes: readonly string[]): Promise<number> {
  return (await tx`delete from ${tx(table)} where hash_of_id(id::text) = any (${hashes as string[]}::text[])`).count
}

/** Moves the dates of the chats of pings that had ended by these tombstones, earlier than their restored rows say. */
export async function moveChatDates(tx: Tx, ended: readonly Tombstone[]): Promise<void> {
  await tx`
    update chats c set erase_at = c.erase_at + (g.erased_at - p.expires_at)
    from location_pins p join jsonb_to_recordset(${JSON.stringify(ended)}::text::jsonb)
      as g (id_hash text, erased_at timestamptz) on hash_of_id(p.id::text) = g.id_hash
    where c.ping_id = p.id and c.erase_at is not null and p.expires_at > g.erased_at`
}

/** Gives chats whose date has passed a new one: they may have been kept after the backup was made. */
export async function postponeChats(tx: Tx, now: Date, days: number): Promise<void> {
  await tx`
    update chats set erase_at = ${now}::timestamptz + make_interval(days => ${days}) where erase_at <= ${now}`
}

/** A place is erased after the end only, so a ping whose restored row has not ended was ended after the backup. */
export async function deletePingsEndedSince(tx: Tx, hashes: readonly string[], now: Date): Promise<number> {
  const { count } = await tx`
    delete from location_pins
    where expires_at > ${now} and hash_of_id(id::text) = any (${hashes as string[]}::text[])`
  return count
}

/** Replaces the exact places of these pings, and of all that ended by `endedBy`, by their areas. */
export async function erasePlaces(tx: Tx, hashes: readonly string[], endedBy: Date | null, now: Date): Promise<number> {
  const { count } = await tx`
    with due as (
      select id from location_pins
      where place_erased_at is null
        and (expires_at <= ${endedBy}::timestamptz or hash_of_id(id::text) = any (${hashes as string[]}::text[]))
    ), known_by as (
      delete from ping_place_known_by k using due where k.ping_id = due.id
    )
    update location_pins p set
      latitude = area_latitude, longitude = area_longitude, address = area_address, place_erased_at = ${now}
    from due where p.id = due.id`
  return count
}

/** The response of an invitee has no tombstone of its own: it was erased with the invitation. */
export async function deleteUninvitedResponses(tx: Tx): Promise<number> {
  const { count } = await tx`
    delete from ping_responses v where not exists (
      select 1 from ping_recipients r where r.ping_id = v.ping_id and r.recipient_id = v.user_id)`
  return count
}

/** A participant who left and joined again stays. */
export async function deleteMemberships(tx: Tx, left: readonly Tombstone[]): Promise<number> {
  const hashes = left.map(({ id_hash }) => id_hash)
  const { count } = await tx`
    delete from chat_members
    where hash_of_id(chat_id || '/' || user_id || '/' || (extract(epoch from joined_at) * 1000)::bigint)
      = any (${hashes}::text[])`
  // Tombstones from before migration 0010 do not include the time of joining.
  const older = await tx`
    delete from chat_members m using jsonb_to_recordset(${JSON.stringify(left)}::text::jsonb)
      as g (id_hash text, erased_at timestamptz)
    where hash_of_id(m.chat_id || '/' || m.user_id) = g.id_hash and m.joined_at <= g.erased_at`
  return count + older.count
}

/** A friend who was removed from a circle and added again stays. */
export async function deleteCircleMembers(tx: Tx, removed: readonly Tombstone[]): Promise<number> {
  const hashes = removed.map(({ id_hash }) => id_hash)
  const { count } = await tx`
    delete from circle_members
    where hash_of_id(circle_id || '/' || user_id || '/' || (extract(epoch from added_at) * 1000)::bigint)
      = any (${hashes}::text[])`
  return count
}

/** An admin who was appointed again stays. */
export async function deleteAdmins(tx: Tx, dismissed: readonly Tombstone[]): Promise<number> {
  const hashes = dismissed.map(({ id_hash }) => id_hash)
  const { count } = await tx`
    delete from admins
    where hash_of_id(user_id || '/' || (extract(epoch from appointed_at) * 1000)::bigint) = any (${hashes}::text[])`
  const older = await tx`
    delete from admins a using jsonb_to_recordset(${JSON.stringify(dismissed)}::text::jsonb)
      as g (id_hash text, erased_at timestamptz)
    where hash_of_id(a.user_id::text) = g.id_hash and a.appointed_at <= g.erased_at`
  return count + older.count
}

/** An identity that was unlinked and linked again stays. */
export async function deleteIdentities(tx: Tx, unlinked: readonly Tombstone[]): Promise<number> {
  const hashes = unlinked.map(({ id_hash }) => id_hash)
  const { count } = await tx`
    delete from identities
    where hash_of_id(issuer || ' ' || subject || '/' || (extract(epoch from created_at) * 1000)::bigint)
      = any (${hashes}::text[])`
  return count
}

export async function deleteRecoveryCodes(tx: Tx, used: readonly Tombstone[]): Promise<number> {
  const hashes = used.map(({ id_hash }) => id_hash)
  const { count } = await tx`
    delete from recovery_codes where hash_of_id(user_id || '/' || encode(code_hash, 'hex')) = any (${hashes}::text[])`
  return count
}

interface RestoredBlock {
  blocker_id: UserId
  blocked_id: UserId
  is_made: boolean
}

/**
 * Returns the pairs of restored users between whom a block was made or lifted, as the latest record says. The records of the
 * restored database are included, because the list next to an archive may be older than the archive.
 */
export async function listBlockChanges(tx: Tx, changes: readonly Tombstone[]): Promise<RestoredBlock[]> {
  return tx<RestoredBlock[]>`
    with changes as (
      select id_hash, erased_at from jsonb_to_recordset(${JSON.stringify(changes)}::text::jsonb)
        as c (id_hash text, erased_at timestamptz)
      union all select id_hash, erased_at from tombstones where kind = 'blocks'
    ), latest as (
      select distinct on (split_part(id_hash, '/', 1), split_part(id_hash, '/', 2))
        split_part(id_hash, '/', 1) as blocker, split_part(id_hash, '/', 2) as blocked,
        split_part(id_hash, '/', 3) = 'made' as is_made
      from changes
      order by split_part(id_hash, '/', 1), split_part(id_hash, '/', 2), erased_at desc, id_hash desc
    )
    select a.id as blocker_id, b.id as blocked_id, is_made
    from latest join users a on hash_of_id(a.id::text) = blocker join users b on hash_of_id(b.id::text) = blocked
    where is_made <> exists (select 1 from blocks where blocker_id = a.id and blocked_id = b.id)
    order by 1, 2`
}

/** The account has no password until its owner sets one with a mailed or an operator's link. */
export async function deleteEarlierPasswords(tx: Tx, replaced: readonly Tombstone[]): Promise<number> {
  const hashes = replaced.map(({ id_hash }) => id_hash)
  const { count } = await tx`
    update users set password_hash = null
    where password_hash is not null and hash_of_id(id || '/' || password_hash) = any (${hashes}::text[])`
  return count
}

/** A guest who was claimed or removed has a tombstone of the form before that: the row of a later backup stays. */
export async function deleteGuests(tx: Tx, erased: readonly Tombstone[]): Promise<number> {
  const hashes = erased.map(({ id_hash }) => id_hash)
  const { count } = await tx`
    delete from ping_guests
    where hash_of_id(id::text) = any (${hashes}::text[]) or hash_of_id(id || '/' ||
      case when state = 'removed' then 'removed' when user_id is null then 'name' else 'account' end)
      = any (${hashes}::text[])`
  return count
}

/** The flags that a picture exists are set according to the pictures. */
export async function alignHasImage(tx: Tx): Promise<void> {
  await tx`
    update users u set has_image = false
    where has_image and not exists (select 1 from images i where i.user_id = u.id)`
  await tx`
    update location_pins p set has_image = false
    where has_image and not exists (select 1 from images i where i.ping_id = p.id)`
}
