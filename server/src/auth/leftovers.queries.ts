import { type Db } from '../platform/database.ts'

// Each erases at most `limit` rows and answers how many.

export async function deleteFinishedSessions(
  db: Db,
  over: { expiredBefore: Date; endedBefore: Date; limit: number },
): Promise<number> {
  const { count } = await db`
    delete from sessions where id in (
      (select id from sessions where expires_at <= ${over.expiredBefore} order by expires_at limit ${over.limit})
      union
      (select id from sessions where ended_at is not null and ended_at < ${over.endedBefore}
        order by ended_at limit ${over.limit})
      limit ${over.limit})`
  return count
}

export async function deleteRevokedSessions(db: Db, revokedBefore: Date, limit: number): Promise<number> {
  const { count } = await db`
    delete from revoked_sessions where session_id in (
      select session_id from revoked_sessions where revoked_at < ${revokedBefore} order by revoked_at limit ${limit})`
  return count
}

export async function deleteExpiredSignups(db: Db, now: Date, limit: number): Promise<number> {
  const { count } = await db`
    delete from signups where id in (
      select id from signups where expires_at <= ${now} order by expires_at limit ${limit})`
  return count
}

export async function deleteExpiredMailTokens(db: Db, now: Date, limit: number): Promise<number> {
  const { count } = await db`
    delete from mail_tokens where token_hash in (
      select token_hash from mail_tokens where expires_at <= ${now} order by expires_at limit ${limit})`
  return count
}

export async function deleteUnusedDevices(db: Db, usedBefore: Date, limit: number): Promise<number> {
  const { count } = await db`
    delete from known_devices where (user_id, secret_hash) in (
      select user_id, secret_hash from known_devices where last_used_at < ${usedBefore}
      order by last_used_at limit ${limit})`
  return count
}
