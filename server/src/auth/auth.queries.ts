import type { UserId } from '@hither/contract/ids.ts'
import { emailKeyOf } from '@hither/contract/runtime/identifiers.ts'
import type { Db } from '../platform/db/database.ts'

/** The columns of an account that signing in needs. */
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

/** Finds an account by any spelling of its address. */
export async function findAccountByEmail(db: Db, email: string): Promise<AccountRow | undefined> {
  const [row] = await db<AccountRow[]>`
    select id, email, email_confirmed_at, password_hash from users where email_key = ${emailKeyOf(email)}`
  return row
}

/** Returns the language of an account, or else that of its session used last; null if neither is known. */
export async function findLanguage(db: Db, userId: UserId): Promise<string | null> {
  const [row] = await db<[{ locale: string | null }?]>`
    select coalesce(u.locale, (
      select s.locale from sessions s where s.user_id = u.id and s.locale is not null
      order by s.last_used_at desc limit 1)) as locale
    from users u where u.id = ${userId}`
  return row?.locale ?? null
}
