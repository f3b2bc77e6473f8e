import { type SessionId, type UserId } from '@hither/contract/ids.ts'
import { type Db } from '../platform/database.ts'
import { type PresentedToken } from './auth.rules.ts'

export interface CredentialsRow {
  id: UserId
  password_hash: string | null
}

export async function findCredentials(db: Db, email: string): Promise<CredentialsRow | undefined> {
  const [row] = await db<CredentialsRow[]>`select id, password_hash from users where lower(email) = lower(${email})`
  return row
}

export async function insertSession(db: Db, session: { id: SessionId; userId: UserId; now: Date; expiresAt: Date }) {
  await db`
    insert into sessions (id, user_id, created_at, last_used_at, expires_at)
    values (${session.id}, ${session.userId}, ${session.now}, ${session.now}, ${session.expiresAt})`
}

export async function insertRefreshToken(db: Db, token: { hash: Buffer; sessionId: SessionId; now: Date }) {
  await db`
    insert into refresh_tokens (token_hash, session_id, created_at)
    values (${token.hash}, ${token.sessionId}, ${token.now})`
}

export interface RefreshTokenRow extends PresentedToken {
  session_id: SessionId
  user_id: UserId
}

/** Holds the token's session until the transaction ends: of two tabs that race, one looks after the other has written. */
export async function lockRefreshToken(db: Db, hash: Buffer): Promise<RefreshTokenRow | undefined> {
  await db`
    select 1 from sessions
    where id = (select session_id from refresh_tokens where token_hash = ${hash}) for update`
  const [row] = await db<RefreshTokenRow[]>`
    select t.session_id, s.user_id, t.used_at, s.ended_at as session_ended_at, s.expires_at as session_expires_at
    from refresh_tokens t join sessions s on s.id = t.session_id
    where t.token_hash = ${hash}`
  return row
}

export async function updateTokenUsed(db: Db, hash: Buffer, now: Date) {
  await db`update refresh_tokens set used_at = ${now} where token_hash = ${hash} and used_at is null`
}

export async function updateSessionUsed(db: Db, sessionId: SessionId, now: Date, expiresAt: Date) {
  await db`update sessions set last_used_at = ${now}, expires_at = ${expiresAt} where id = ${sessionId}`
}

/** Ends what has not ended yet and answers which sessions that were. */
export async function updateSessionEnded(db: Db, sessionId: SessionId, now: Date): Promise<SessionId[]> {
  const rows = await db<{ id: SessionId }[]>`
    update sessions set ended_at = ${now} where id = ${sessionId} and ended_at is null returning id`
  return rows.map((row) => row.id)
}

export async function listSessionsEndedSince(db: Db, since: Date): Promise<SessionId[]> {
  const rows = await db<{ id: SessionId }[]>`
    select id from sessions where ended_at is not null and ended_at >= ${since} order by ended_at`
  return rows.map((row) => row.id)
}
