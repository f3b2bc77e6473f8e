import type { SignInMethod } from '@hither/contract/auth/auth.ts'
import type { SessionId, UserId } from '@hither/contract/ids.ts'
import type { Db } from '../platform/db/database.ts'

interface MethodCounts {
  has_password: boolean
  passkeys: number
  recovery_codes: number
  /** The issuers of the identities, each once. */
  issuers: string[]
}

/** Returns how a user can sign in; undefined without an account. */
export async function findMethods(db: Db, userId: UserId): Promise<MethodCounts | undefined> {
  const [row] = await db<MethodCounts[]>`
    select u.password_hash is not null as has_password,
      (select count(*)::integer from passkeys where user_id = u.id) as passkeys,
      (select count(*)::integer from recovery_codes where user_id = u.id and used_at is null) as recovery_codes,
      array(select distinct issuer from identities where user_id = u.id) as issuers
    from users u where u.id = ${userId}`
  return row
}

interface SignInRow {
  created_at: string
  method: SignInMethod | null
  password_hash: string | null
}

/** When and how a session was opened, and the password of its user; undefined once the session has ended or expired. */
export async function findSignIn(
  db: Db,
  userId: UserId,
  sessionId: SessionId,
  now: Date,
): Promise<SignInRow | undefined> {
  const [row] = await db<SignInRow[]>`
    select s.created_at, s.method, u.password_hash from sessions s join users u on u.id = s.user_id
    where s.id = ${sessionId} and u.id = ${userId} and s.ended_at is null and s.expires_at > ${now}`
  return row
}
