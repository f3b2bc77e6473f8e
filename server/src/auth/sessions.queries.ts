import type { Session, SignInMethod } from '@hither/contract/auth/auth.ts'
import type { SessionId, UserId } from '@hither/contract/ids.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { type Page, pageValues } from '../platform/http/pages.ts'
import type { PresentedToken } from './auth.rules.ts'

/** Inserts a session with its first refresh token. Runs when it is awaited or sent with the commit. */
export function insertSession(
  tx: Tx,
  session: {
    id: SessionId
    userId: UserId
    device: string | null
    language: string | null
    method: SignInMethod
    tokenHash: Buffer
    now: Date
    expiresAt: Date
  },
) {
  return tx`
    with session as (
      insert into sessions (id, user_id, device, locale, method, created_at, last_used_at, expires_at)
      values (
        ${session.id}, ${session.userId}, ${session.device}, ${session.language}, ${session.method}, ${session.now},
        ${session.now}, ${session.expiresAt})
      returning id, created_at)
    insert into refresh_tokens (token_hash, session_id, created_at)
    select ${session.tokenHash}::bytea, id, created_at from session`
}

/** Runs like `insertSession`. A repeated use of the same predecessor finds the existing row. */
export function insertRefreshToken(tx: Tx, token: { hash: Buffer; sessionId: SessionId; now: Date }) {
  return tx`
    insert into refresh_tokens (token_hash, session_id, created_at)
    values (${token.hash}, ${token.sessionId}, ${token.now})
    on conflict (token_hash) do nothing`
}

interface RefreshTokenRow extends PresentedToken {
  session_id: SessionId
  user_id: UserId
}

/**
 * Locks the session of the token until the transaction ends: of two concurrent tabs, the second reads what the first
 * has written.
 */
export async function lockRefreshToken(tx: Tx, hash: Buffer): Promise<RefreshTokenRow | undefined> {
  await tx`
    select 1 from sessions
    where id = (select session_id from refresh_tokens where token_hash = ${hash}) for update`
  const [row] = await tx<RefreshTokenRow[]>`
    select t.session_id, s.user_id, t.used_at, s.ended_at as session_ended_at, s.expires_at as session_expires_at
    from refresh_tokens t join sessions s on s.id = t.session_id
    where t.token_hash = ${hash}`
  return row
}

/** Locks a session that has neither ended nor expired with a shared lock: it does not end meanwhile. Returns whether there is one. */
export async function lockOpenSessionShared(tx: Tx, userId: UserId, sessionId: SessionId, now: Date): Promise<boolean> {
  const rows = await tx`
    select id from sessions
    where id = ${sessionId} and user_id = ${userId} and ended_at is null and expires_at > ${now} for share`
  return rows.length > 0
}

export async function updateTokenUsed(tx: Tx, hash: Buffer, now: Date) {
  await tx`update refresh_tokens set used_at = ${now} where token_hash = ${hash} and used_at is null`
}

/** Updates the time of the last use, the device and its language. A request without one of them leaves the stored one. */
export async function updateSessionUsed(
  tx: Tx,
  sessionId: SessionId,
  use: { device: string | null; language: string | null; now: Date; expiresAt: Date },
) {
  await tx`
    update sessions
    set last_used_at = ${use.now}, expires_at = ${use.expiresAt}, device = coalesce(${use.device}, device),
      locale = coalesce(${use.language}, locale)
    where id = ${sessionId}`
}

/** Lists the open sessions of a user, the one last used first. */
export async function listOpenSessions(
  db: Db,
  userId: UserId,
  currentId: SessionId,
  now: Date,
  page: Page<SessionId> = {},
): Promise<Session[]> {
  const { limit, before } = pageValues(page)
  const rows = await db<(Session & { method: SignInMethod | null })[]>`
    select id, created_at, last_used_at, device, id = ${currentId} as is_current, method
    from sessions
    where user_id = ${userId} and ended_at is null and expires_at > ${now}
      and (${before}::uuid is null or (last_used_at, id) < (
        select b.last_used_at, b.id from sessions b where b.id = ${before}::uuid and b.user_id = ${userId}))
    order by last_used_at desc, id desc
    limit ${limit}::int`
  return rows.map(({ method, ...session }) => (method === null ? session : { ...session, method }))
}

/** Ends a session unless it has ended already. Returns the ids of the ended sessions. */
export async function updateSessionEnded(tx: Tx, sessionId: SessionId, now: Date): Promise<SessionId[]> {
  const rows = await tx<{ id: SessionId }[]>`
    update sessions set ended_at = ${now} where id = ${sessionId} and ended_at is null returning id`
  return rows.map((row) => row.id)
}

/** Like `updateSessionEnded`, for an unexpired session of this user. */
export async function updateOwnSessionEnded(
  tx: Tx,
  userId: UserId,
  sessionId: SessionId,
  now: Date,
): Promise<SessionId[]> {
  const rows = await tx<{ id: SessionId }[]>`
    update sessions set ended_at = ${now}
    where id = ${sessionId} and user_id = ${userId} and ended_at is null and expires_at > ${now} returning id`
  return rows.map((row) => row.id)
}

/** Like `updateSessionEnded`, for all sessions of a user, or all but one. */
export async function updateSessionsEnded(
  tx: Tx,
  userId: UserId,
  exceptId: SessionId | null,
  now: Date,
): Promise<SessionId[]> {
  const rows = await tx<{ id: SessionId }[]>`
    update sessions set ended_at = ${now}
    where user_id = ${userId} and ended_at is null and id is distinct from ${exceptId}::uuid returning id`
  return rows.map((row) => row.id)
}

/** Records the sessions of a user as ended, by their ids only, before they are deleted with the account. */
export async function insertRevokedSessions(tx: Tx, userId: UserId, now: Date): Promise<SessionId[]> {
  const rows = await tx<{ session_id: SessionId }[]>`
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

export async function deleteSessionsOf(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from sessions where user_id = ${userId}`
}
