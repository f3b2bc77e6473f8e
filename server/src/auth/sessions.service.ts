import { type AuthSession, authLimits, type Session } from '@hither/contract/auth.ts'
import { type SessionId, type UserId } from '@hither/contract/ids.ts'
import { type User } from '@hither/contract/users.ts'
import { assertNotSuspended } from '../moderation/admission.service.ts'
import { type Announce, type Changes, type Lastly } from '../platform/changes.ts'
import { type Db, type Pool } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { findOwnUser, getOwnUser } from '../users/users.service.ts'
import { holdAccount } from './auth.queries.ts'
import { deviceOf, judgeRefresh } from './auth.rules.ts'
import { rememberDevice } from './known-devices.service.ts'
import { hashOf, newSecretToken } from './secret-tokens.ts'
import * as queries from './sessions.queries.ts'
import { type Caller, endedSessionMemoryMs, type Tokens } from './tokens.ts'

export interface SessionsDeps {
  pool: Pool
  changes: Changes
  tokens: Tokens
  now: () => Date
}

const dayMs = 86_400_000

/** Where somebody signs in. */
export interface SignInDevice {
  readonly userAgent: string
  /** Made by the device itself; undefined for a client that has none. */
  readonly secret: string | undefined
}

/**
 * Changes a refresh token for a new one. Each use within the grace period gets the same successor, so that a copied token
 * never makes a second family member. A token used before, and not just now, ends its whole family.
 */
export async function refreshSession(
  { pool, changes, tokens, now }: SessionsDeps,
  refreshToken: string,
  userAgent: string,
): Promise<AuthSession> {
  const session = await changes.commit(pool, async (db, announce) => {
    const hash = hashOf(refreshToken)
    const row = await queries.lockRefreshToken(db, hash)
    if (!row) return null
    const verdict = judgeRefresh(row, now())
    if (verdict === 'ended') return null
    if (verdict === 'reused') {
      announce.sessionsEnded(await queries.updateSessionEnded(db, row.session_id, now()))
      // Returned, not thrown: the end of the family must commit.
      return null
    }
    const use = { device: deviceOf(userAgent), now: now(), expiresAt: refreshExpiry(now()) }
    const next = tokens.successorOf(refreshToken)
    const [user] = await Promise.all([
      getOwnUser(db, row.user_id),
      queries.updateTokenUsed(db, hash, now()),
      queries.updateSessionUsed(db, row.session_id, use),
      queries.insertRefreshToken(db, { hash: hashOf(next), sessionId: row.session_id, now: now() }),
    ])
    return sessionAnswer(tokens, user, row.session_id, next)
  })
  if (!session) throw new Refusal('invalid_refresh_token')
  return session
}

/** Ends the session an access token belongs to, expired or not; anything else is quietly nothing. */
export async function signOut({ pool, changes, tokens, now }: SessionsDeps, accessToken: string): Promise<void> {
  const check = tokens.check(accessToken)
  if (check.state !== 'valid' && check.state !== 'expired') return
  await changes.commit(pool, async (db, announce) => {
    announce.sessionsEnded(await queries.updateSessionEnded(db, check.caller.sessionId, now()))
  })
}

/** The one last used first. */
export async function listSessions({ pool, now }: SessionsDeps, caller: Caller): Promise<Session[]> {
  return queries.listOpenSessions(pool, caller.userId, caller.sessionId, now())
}

/** Own ones only; someone else's, an ended one and none are refused alike. */
export async function endSession(
  { pool, changes, now }: SessionsDeps,
  { userId }: Caller,
  sessionId: SessionId,
): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    const ended = await queries.updateOwnSessionEnded(db, userId, sessionId, now())
    if (ended.length === 0) throw new Refusal('session_not_found')
    announce.sessionsEnded(ended)
  })
}

export async function endOtherSessions({ pool, changes, now }: SessionsDeps, caller: Caller): Promise<void> {
  await changes.commit(pool, (db, announce) => endSessions(db, announce, caller.userId, caller.sessionId, now()))
}

/** Joins the caller's transaction. All of a person's sessions but `exceptId`. */
export async function endSessions(
  db: Db,
  announce: Announce,
  userId: UserId,
  exceptId: SessionId | null,
  now: Date,
): Promise<void> {
  announce.sessionsEnded(await queries.updateSessionsEnded(db, userId, exceptId, now))
}

/** Joins the transaction that erases the account: its access tokens stay refused, also after a restart. */
export async function revokeSessions(db: Db, announce: Announce, userId: UserId, now: Date): Promise<void> {
  announce.sessionsEnded(await queries.insertRevokedSessions(db, userId, now))
}

/** Joins the caller's transaction. Like `revokeSessions` for an account that stays: its sessions are also deleted. */
export async function eraseSessions(db: Db, announce: Announce, userId: UserId, now: Date): Promise<void> {
  await revokeSessions(db, announce, userId, now)
  await queries.deleteSessionsOf(db, userId)
}

/** At start: access tokens of sessions ended before a restart stay refused after it. */
export async function revokeRecentlyEnded({ pool, tokens, now }: SessionsDeps): Promise<void> {
  const since = new Date(now().getTime() - endedSessionMemoryMs)
  tokens.revoke(await queries.listSessionsEndedSince(pool, since))
}

/** Joins the caller's transaction, and is written with its commit. Refuses an account erased meanwhile, and a suspended one. */
export async function openSession(
  { db, lastly }: { db: Db; lastly: Lastly },
  tokens: Tokens,
  userId: UserId,
  device: SignInDevice,
  now: Date,
): Promise<AuthSession> {
  // On one trip, and in this order: what the others tell is of an account that is held.
  const [isHeld, user] = await Promise.all([
    holdAccount(db, userId),
    findOwnUser(db, userId),
    assertNotSuspended(db, userId, now),
  ])
  if (!isHeld || !user) throw new Refusal('invalid_credentials')
  const id = newId<SessionId>()
  const refreshToken = newSecretToken()
  lastly(
    queries.insertSession(db, { id, userId, device: deviceOf(device.userAgent), now, expiresAt: refreshExpiry(now) }),
  )
  lastly(queries.insertRefreshToken(db, { hash: hashOf(refreshToken), sessionId: id, now }))
  rememberDevice({ db, lastly }, userId, device.secret, now)
  return sessionAnswer(tokens, user, id, refreshToken)
}

function sessionAnswer(tokens: Tokens, user: User, sessionId: SessionId, refreshToken: string): AuthSession {
  const access = tokens.issue(user.id, sessionId)
  return {
    access_token: access.token,
    refresh_token: refreshToken,
    expires_in: authLimits.accessTokenSeconds,
    expires_at: Math.floor(access.expiresAt / 1000),
    token_type: 'bearer',
    user,
  }
}

function refreshExpiry(now: Date): Date {
  return new Date(now.getTime() + authLimits.refreshTokenDays * dayMs)
}
