import { type Db } from '../platform/database.ts'

// Each erases at most `limit` rows and answers how many.

/** The picture of each goes with it. */
export async function deleteDueReports(db: Db, now: Date, limit: number): Promise<number> {
  const { count } = await db`
    delete from reports where id in (
      select id from reports where erase_at <= ${now} order by erase_at limit ${limit})`
  return count
}

export async function deletePastSuspensions(db: Db, now: Date, limit: number): Promise<number> {
  const { count } = await db`
    delete from suspensions where user_id in (
      select user_id from suspensions where suspended_until <= ${now} order by suspended_until limit ${limit})
      and suspended_until <= ${now}`
  return count
}

export async function deletePastInvitations(db: Db, expiredBefore: Date, limit: number): Promise<number> {
  const { count } = await db`
    delete from invitations where id in (
      select id from invitations where expires_at <= ${expiredBefore} order by expires_at limit ${limit})`
  return count
}

export async function deletePastCodes(db: Db, now: Date, limit: number): Promise<number> {
  const { count } = await db`
    delete from admin_codes where code_hash in (
      select code_hash from admin_codes where expires_at <= ${now} limit ${limit})`
  return count
}
