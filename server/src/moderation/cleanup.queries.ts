import type { Tx } from '../platform/db/database.ts'

// Each function deletes at most `limit` rows and returns their number.

/** Deletes due reports with the copies of their pictures. */
export async function deleteDueReports(tx: Tx, now: Date, limit: number): Promise<number> {
  const { count } = await tx`
    delete from reports where id in (
      select id from reports where erase_at <= ${now} order by erase_at limit ${limit})`
  return count
}

export async function deletePastSuspensions(tx: Tx, now: Date, limit: number): Promise<number> {
  const { count } = await tx`
    delete from suspensions where user_id in (
      select user_id from suspensions where suspended_until <= ${now} order by suspended_until limit ${limit})
      and suspended_until <= ${now}`
  return count
}

export async function deletePastInvitations(tx: Tx, expiredBefore: Date, limit: number): Promise<number> {
  const { count } = await tx`
    delete from invitations where id in (
      select id from invitations where expires_at <= ${expiredBefore} order by expires_at limit ${limit})`
  return count
}

export async function deletePastBanner(tx: Tx, now: Date): Promise<number> {
  const { count } = await tx`delete from banners where ends_at <= ${now}`
  return count
}

export async function deletePastCodes(tx: Tx, now: Date, limit: number): Promise<number> {
  const { count } = await tx`
    delete from admin_codes where code_hash in (
      select code_hash from admin_codes where expires_at <= ${now} limit ${limit})`
  return count
}
