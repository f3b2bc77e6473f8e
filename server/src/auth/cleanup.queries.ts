import type { Tx } from '../platform/db/database.ts'

// Each function deletes at most `limit` rows and returns their number.

export async function deleteFinishedSessions(
  tx: Tx,
  { expiredBefore, endedBefore, limit }: { expiredBefore: Date; endedBefore: Date; limit: number },
): Promise<number> {
  const { count } = await tx`
    delete from sessions where id in (
      (select id from sessions where expires_at <= ${expiredBefore} order by expires_at limit ${limit})
      union
      (select id from sessions where ended_at is not null and ended_at < ${endedBefore}
        order by ended_at limit ${limit})
      limit ${limit})`
  return count
}

export async function deleteRevokedSessions(tx: Tx, revokedBefore: Date, limit: number): Promise<number> {
  const { count } = await tx`
    delete from revoked_sessions where session_id in (
      select session_id from revoked_sessions where revoked_at < ${revokedBefore} order by revoked_at limit ${limit})`
  return count
}

export async function deleteExpiredSignups(tx: Tx, now: Date, limit: number): Promise<number> {
  const { count } = await tx`
    delete from signups where id in (
      select id from signups where expires_at <= ${now} order by expires_at limit ${limit})`
  return count
}

export async function deleteExpiredMailTokens(tx: Tx, now: Date, limit: number): Promise<number> {
  const { count } = await tx`
    delete from mail_tokens where token_hash in (
      select token_hash from mail_tokens where expires_at <= ${now} order by expires_at limit ${limit})`
  return count
}

export async function deleteUnusedDevices(tx: Tx, usedBefore: Date, limit: number): Promise<number> {
  const { count } = await tx`
    delete from known_devices where (user_id, secret_hash) in (
      select user_id, secret_hash from known_devices where last_used_at < ${usedBefore}
      order by last_used_at limit ${limit})`
  return count
}

export async function deleteExpiredChallenges(tx: Tx, now: Date, limit: number): Promise<number> {
  const { count } = await tx`
    delete from auth_challenges where hash in (
      select hash from auth_challenges where expires_at <= ${now} order by expires_at limit ${limit})`
  return count
}

export async function deleteOldEvents(tx: Tx, createdBefore: Date, limit: number): Promise<number> {
  const { count } = await tx`
    delete from security_events where id in (
      select id from security_events where created_at < ${createdBefore} order by created_at limit ${limit})`
  return count
}
