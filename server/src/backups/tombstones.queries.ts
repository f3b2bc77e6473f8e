import { type Db } from '../platform/database.ts'

/** What was erased: a row of the table `kind`, by the hash of its id alone. */
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

/** Whether it lies ahead by the clock of the database, which tombstones bear the time of. */
export async function isToCome(db: Db, time: string): Promise<boolean> {
  const [row] = await db<[{ is_to_come: boolean }]>`select ${time}::timestamptz > now() as is_to_come`
  return row.is_to_come
}

export async function deleteTombstones(db: Db, before: Date): Promise<void> {
  await db`delete from tombstones where erased_at < ${before}`
}

// What follows brings a restored database to where it was. It stands here and not with the features, because nobody is told of
// it: these rows were gone before anyone could have seen them again.

/** Those of these people who are in the restored database. */
export async function listRestoredUsers(db: Db, hashes: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from users where hash_of_id(id::text) = any (${hashes as string[]}::text[]) order by id`
  return rows.map(({ id }) => id)
}

export async function listRestoredMessages(db: Db, hashes: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from messages
    where deleted_at is null and hash_of_id(id::text) = any (${hashes as string[]}::text[]) order by id`
  return rows.map(({ id }) => id)
}

/** Of a table whose rows have an id of their own. */
export async function deleteRows(db: Db, table: string, hashes: readonly string[]): Promise<number> {
  return (await db`delete from ${db(table)} where hash_of_id(id::text) = any (${hashes as string[]}::text[])`).count
}

/** Whoever joined again after having left stays. */
export async function deleteMemberships(db: Db, left: readonly Tombstone[]): Promise<number> {
  const hashes = left.map(({ id_hash }) => id_hash)
  const { count } = await db`
    delete from chat_members
    where hash_of_id(chat_id || '/' || user_id || '/' || (extract(epoch from joined_at) * 1000)::bigint)
      = any (${hashes}::text[])`
  // Those of before 0010 do not say which.
  const older = await db`
    delete from chat_members m using jsonb_to_recordset(${JSON.stringify(left)}::text::jsonb)
      as g (id_hash text, erased_at timestamptz)
    where hash_of_id(m.chat_id || '/' || m.user_id) = g.id_hash and m.joined_at <= g.erased_at`
  return count + older.count
}

/** Whoever was appointed again stays. */
export async function deleteAdmins(db: Db, dismissed: readonly Tombstone[]): Promise<number> {
  const hashes = dismissed.map(({ id_hash }) => id_hash)
  const { count } = await db`
    delete from admins
    where hash_of_id(user_id || '/' || (extract(epoch from appointed_at) * 1000)::bigint) = any (${hashes}::text[])`
  const older = await db`
    delete from admins a using jsonb_to_recordset(${JSON.stringify(dismissed)}::text::jsonb)
      as g (id_hash text, erased_at timestamptz)
    where hash_of_id(a.user_id::text) = g.id_hash and a.appointed_at <= g.erased_at`
  return count + older.count
}

/** What says that there is a picture follows the pictures. */
export async function alignHasImage(db: Db): Promise<void> {
  await db`
    update users u set has_image = false
    where has_image and not exists (select 1 from images i where i.user_id = u.id)`
  await db`
    update location_pins p set has_image = false
    where has_image and not exists (select 1 from images i where i.ping_id = p.id)`
}
