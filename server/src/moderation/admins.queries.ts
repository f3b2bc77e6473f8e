import type { UserId } from '@hither/contract/ids.ts'
import type { Db, Tx } from '../platform/db/database.ts'

export async function isAdmin(db: Db, userId: UserId): Promise<boolean> {
  const rows = await db`select 1 from admins where user_id = ${userId}`
  return rows.length > 0
}

export async function hasAdmin(db: Db): Promise<boolean> {
  const rows = await db`select 1 from admins limit 1`
  return rows.length > 0
}

/** Locks the table of admins: concurrent attempts to create the first admin wait for each other. */
export async function lockAdmins(tx: Tx): Promise<void> {
  await tx`lock table admins in share row exclusive mode`
}

/** Locks the rows of all admins: if two resign concurrently, the second sees that the first is gone. */
export async function lockEveryAdmin(tx: Tx): Promise<UserId[]> {
  const rows = await tx<{ user_id: UserId }[]>`select user_id from admins order by user_id for update`
  return rows.map(({ user_id }) => user_id)
}

/** Inserts an admin. Returns whether the user was none before. */
export async function insertAdmin(tx: Tx, userId: UserId, now: Date): Promise<boolean> {
  const { count } = await tx`
    insert into admins (user_id, appointed_at) values (${userId}, ${now}) on conflict do nothing`
  return count > 0
}

export async function deleteAdmin(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from admins where user_id = ${userId}`
}

export async function insertAdminCode(tx: Tx, hash: Buffer, expiresAt: Date): Promise<void> {
  await tx`insert into admin_codes (code_hash, expires_at) values (${hash}, ${expiresAt})`
}

export async function isAdminCode(tx: Tx, hash: Buffer, now: Date): Promise<boolean> {
  const rows = await tx`select 1 from admin_codes where code_hash = ${hash} and expires_at > ${now}`
  return rows.length > 0
}

export async function deleteAdminCodes(tx: Tx): Promise<void> {
  await tx`delete from admin_codes`
}
