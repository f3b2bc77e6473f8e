import { type Session } from '@hither/contract/auth.ts'
import { type SessionId, type UserId } from '@hither/contract/ids.ts'
import { type Db } from '../platform/database.ts'
import { type PresentedToken } from './auth.rules.ts'

/** Runs once it is awaited, or sent with the commit. */
export function insertSession(
  db: Db,
  session: { id: SessionId; userId: UserId; device: string | null; now: Date; expiresAt: Date },
) {
  return db`
    insert into sessions (id, user_id, device, created_at, last_used_at, expires_at)
    values (
      ${session.id}, ${session.userId}, ${session.device}, ${session.now}, ${session.now}, ${session.expiresAt})`
}

/** Runs like `insertSession`. A repeated use of the same predecessor finds the row already there. */
export function insertRefreshToken(db: Db, token: { hash: Buffer; sessionId: SessionId; now: Date }) {
  return db`
    insert into refresh_tokens (token_hash, session_id, created_at)
    values (${token.hash}, ${token.sessionId}, ${token.now})
    on conflict (token_hash) do nothing`
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

/** A browser may have become another version; one that tells nothing leaves what it told before. */
export async function updateSessionUsed(
  db: Db,
  sessionId: SessionId,
  use: { device: string | null; now: Date; expiresAt: Date },
) {
  await db`
    update sessions
    set last_used_at = ${use.now}, expires_at = ${use.expiresAt}, device = coalesce(${use.device}, device)
    where id = ${sessionId}`
}

/** The one last used first. */
export async function listOpenSessions(db: Db, userId: UserId, currentId: SessionId, now: Date): Promise<Session[]> {
  return db<Session[]>`
    select id, created_at, last_used_at, device, id = ${currentId} as is_current
    from sessions
    where user_id = ${userId} and ended_at is null and expires_at > ${now}
    order by last_used_at desc, id desc`
}

/** Ends what has not ended yet and answers which sessions that were. */
export async function updateSessionEnded(db: Db, sessionId: SessionId, now: Date): Promise<SessionId[]> {
  const rows = await db<{ id: SessionId }[]>`
    update sessions set ended_at = ${now} where id = ${sessionId} and ended_at is null returning id`
  return rows.map((row) => row.id)
}

/** The same for one of this person's own that has not expired. */
export async function updateOwnSessionEnded(
  db: Db,
  userId: UserId,
  sessionId: SessionId,
  now: Date,
): Promise<SessionId[]> {
  const rows = await db<{ id: SessionId }[]>`
    update sessions set ended_at = ${now}
    where id = ${sessionId} and user_id = ${userId} and ended_at is null and expires_at > ${now} returning id`
  return rows.map((row) => row.id)
}

/** The same for all of a person's but one, or all. */
export async function updateSessionsEnded(
  db: Db,
  userId: UserId,
  exceptId: SessionId | null,
  now: Date,
): Promise<SessionId[]> {
  const rows = await db<{ id: SessionId }[]>`
    update sessions set ended_at = ${now}
    where user_id = ${userId} and ended_at is null and id is distinct from ${exceptId}::uuid returning id`
  return rows.map((row) => row.id)
}

/** Remembers a person's sessions as ended, by nothing but their ids, before they go with their account. */
export async function insertRevokedSessions(db: Db, userId: UserId, now: Date): Promise<SessionId[]> {
  const rows = await db<{ session_id: SessionId }[]>`
    insert into revoked_sessions (session_id, revoked_at)
    select id, ${now}::timestamptz from sessions where user_id = ${userId}
    returning session_id`
  return rows.map((row) => row.session_id)
}

export async function listSessionsEndedSince(db: Db, since: Date): Promise<SessionId[]> {
  const rows = await db<{ id: SessionId }[]>`
    select id from sessions where ended_at is not null and ended_at >= ${since}
    union all
    select session_id from revoked_sessions where revoked_at >= ${since}`
  return rows.map((row) => row.id)
}

export async function deleteSessionsOf(db: Db, userId: UserId): Promise<void> {
  await db`delete from sessions where user_id = ${userId}`
}
