import { type UserId } from '@hither/contract/ids.ts'
import { type Db } from '../platform/database.ts'

/** Holds these people until the transaction ends, in the order in which all who hold several do. Which of them are there. */
export async function lockPeople(db: Db, userIds: readonly UserId[]): Promise<UserId[]> {
  const rows = await db<{ id: UserId }[]>`
    select id from users where id = any(${userIds}::uuid[]) order by id for no key update`
  return rows.map(({ id }) => id)
}

export async function isAdmin(db: Db, userId: UserId): Promise<boolean> {
  const rows = await db`select 1 from admins where user_id = ${userId}`
  return rows.length > 0
}

export async function hasAdmin(db: Db): Promise<boolean> {
  const rows = await db`select 1 from admins limit 1`
  return rows.length > 0
}

/** Whoever makes the first admin waits for whoever else does. */
export async function lockAdmins(db: Db): Promise<void> {
  await db`lock table admins in share row exclusive mode`
}

/** Holds them all, so that of two who go at once one sees that the other has gone. */
export async function lockEveryAdmin(db: Db): Promise<UserId[]> {
  const rows = await db<{ user_id: UserId }[]>`select user_id from admins order by user_id for update`
  return rows.map(({ user_id }) => user_id)
}

/** Whether they were none before. */
export async function insertAdmin(db: Db, userId: UserId, now: Date): Promise<boolean> {
  const { count } = await db`
    insert into admins (user_id, appointed_at) values (${userId}, ${now}) on conflict do nothing`
  return count > 0
}

export async function deleteAdmin(db: Db, userId: UserId): Promise<void> {
  await db`delete from admins where user_id = ${userId}`
}

export async function insertAdminCode(db: Db, hash: Buffer, expiresAt: Date): Promise<void> {
  await db`insert into admin_codes (code_hash, expires_at) values (${hash}, ${expiresAt})`
}

export async function isAdminCode(db: Db, hash: Buffer, now: Date): Promise<boolean> {
  const rows = await db`select 1 from admin_codes where code_hash = ${hash} and expires_at > ${now}`
  return rows.length > 0
}

export async function deleteAdminCodes(db: Db): Promise<void> {
  await db`delete from admin_codes`
}
