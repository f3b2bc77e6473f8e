import { type UserId } from '@hither/contract/ids.ts'
import { type Db } from '../platform/database.ts'

/** What signing in needs of an account. */
export interface AccountRow {
  id: UserId
  email: string
  email_confirmed_at: string | null
  password_hash: string | null
}

export async function findAccount(db: Db, userId: UserId): Promise<AccountRow | undefined> {
  const [row] = await db<AccountRow[]>`
    select id, email, email_confirmed_at, password_hash from users where id = ${userId}`
  return row
}

/** Without regard to case. */
export async function findAccountByEmail(db: Db, email: string): Promise<AccountRow | undefined> {
  const [row] = await db<AccountRow[]>`
    select id, email, email_confirmed_at, password_hash from users where lower(email) = lower(${email})`
  return row
}

/**
 * Keeps an account from being erased until the transaction ends, or waits until it has been. Not `for key share`, which a
 * session slips by that no erasure knows of. Whether it is there.
 */
export async function holdAccount(db: Db, userId: UserId): Promise<boolean> {
  const rows = await db`select id from users where id = ${userId} for share`
  return rows.length > 0
}
