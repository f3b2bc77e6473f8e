import type { AuthSession, Session, SignInMethod } from '@hither/contract/auth/auth.ts'
import type { FriendLinkResult } from '@hither/contract/friend-links.ts'
import type { SessionId, UserId } from '@hither/contract/ids.ts'
import { authLimits } from '@hither/contract/runtime/auth/auth.ts'
import type { LanguageTag } from '@hither/contract/runtime/locales.ts'
import type { User } from '@hither/contract/users.ts'
import { assertNotSuspended } from '../admission/admission.service.ts'
import type { Announce, Changes, WithCommit } from '../events/changes.ts'
import { hashOf, newSecretToken } from '../platform/crypto/secret-tokens.ts'
import { retryConflicts } from '../platform/db/conflicts.ts'
import type { Pool, Tx } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { inOrder } from '../platform/db/in-order.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Page } from '../platform/http/pages.ts'
import { endTripsOfSessions, type LockedTrips, lockTripsOf } from '../trips/session-endings.service.ts'
import { lockUserAndRead, lockUserShared, lockUserWithPasswordShared } from '../users/user-locks.ts'
import { findOwnUser, getOwnUser } from '../users/users.service.ts'
import { deviceOf, judgeRefresh } from './auth.rules.ts'
import { findIdentity } from './identities.queries.ts'
import { rememberDevice } from './known-devices.service.ts'
import * as queries from './sessions.queries.ts'
import { findSignIn } from './sign-in-methods.queries.ts'
import { endedSessionMemoryMs, type Tokens } from './tokens.ts'

export interface SessionsDeps {
  pool: Pool
  changes: Changes
  tokens: Tokens
  now: () => Date
}

const dayMs = 86_400_000

/** The device that signs in. */
export interface SignInDevice {
  readonly userAgent: string
  /** The language that its requests ask for. */
  readonly language: LanguageTag | null
  /** A secret that the device creates; undefined for a client without one. */
  readonly secret: string | undefined
}

/** How a session is opened. */
interface SignIn {
  readonly device: SignInDevice
  readonly method: SignInMethod
  readonly id?: SessionId
  /** Undefined for an account that the same transaction has locked or created. */
  readonly checked?: CheckedSecret
}

/**
 * What a sign-in was checked with before its transaction locked the account: a password, or a user of a provider. Compared again
 * under the lock, because it may have been replaced or removed meanwhile, together with all sessions of that time.
 */
export type CheckedSecret =
  | { readonly passwordHash: string | null }
  | { readonly issuer: string; readonly subject: string }

/**
 * Exchanges a refresh token for a new one. Every use within the grace period gets the same successor, so that a copied
 * token never creates a second family member. A use after the grace period ends the whole family.
 */
export async function refreshSession(
  deps: SessionsDeps,
  refreshToken: string,
  { userAgent, language }: Omit<SignInDevice, 'secret'>,
): Promise<AuthSession> {
  const { pool, changes, tokens, now } = deps
  let reused: Pick<Caller, 'userId' | 'sessionId'> | null = null
  const session = await changes.commit(pool, async (tx) => {
    const hash = hashOf(refreshToken)
    const row = await queries.lockRefreshToken(tx, hash)
    if (!row) return null
    const verdict = judgeRefresh(row, now())
    if (verdict === 'ended') return null
    if (verdict === 'reused') {
      reused = { userId: row.user_id, sessionId: row.session_id }
      return null
    }
    const use = { device: deviceOf(userAgent), language, now: now(), expiresAt: refreshExpiry(now()) }
    const next = tokens.successorOf(refreshToken)
    const [user] = await inOrder([
      getOwnUser(tx, row.user_id),
      queries.updateTokenUsed(tx, hash, now()),
      queries.updateSessionUsed(tx, row.session_id, use),
      queries.insertRefreshToken(tx, { hash: hashOf(next), sessionId: row.session_id, now: now() }),
    ])
    return sessionAnswer(tokens, user, row.session_id, next)
  })
  // A transaction of its own: the session of the token is locked in this one, and trips are locked before sessions.
  if (reused) await endOneSession(deps, reused)
  if (!session) throw new Refusal('invalid_refresh_token')
  return session
}

/** Ends a session unless it has ended already, with the trips that it wrote last. */
async function endOneSession(
  { pool, changes, now }: SessionsDeps,
  { userId, sessionId }: Pick<Caller, 'userId' | 'sessionId'>,
): Promise<void> {
  await retryConflicts(() =>
    changes.commit(pool, async (tx, announce) => {
      const trips = await lockTripsOf(tx, userId)
      await announceSessionsEnded(tx, announce, await queries.updateSessionEnded(tx, sessionId, now()), trips)
    }),
  )
}

/** The trips disappear first: the sockets of the sessions close with the second announcement. */
async function announceSessionsEnded(
  tx: Tx,
  announce: Announce,
  sessionIds: readonly SessionId[],
  trips: LockedTrips,
): Promise<void> {
  await endTripsOfSessions(tx, announce, sessionIds, trips)
  announce.sessionsEnded(sessionIds)
}

/** Ends the session of an access token, even an expired one. Ignores everything else. */
export async function signOut(deps: SessionsDeps, accessToken: string): Promise<void> {
  const check = deps.tokens.check(accessToken)
  if (check.state !== 'valid' && check.state !== 'expired') return
  await endOneSession(deps, check.caller)
}

/** Lists the open sessions of the caller, the one last used first. */
export async function listSessions(
  { pool, now }: SessionsDeps,
  { userId, sessionId }: Caller,
  page: Page<SessionId>,
): Promise<Session[]> {
  return queries.listOpenSessions(pool, userId, sessionId, now(), page)
}

/** Ends a session of the caller. Unknown and ended sessions and those of others get the same refusal. */
export async function endSession(
  { pool, changes, now }: SessionsDeps,
  { userId }: Caller,
  sessionId: SessionId,
): Promise<void> {
  await retryConflicts(() =>
    changes.commit(pool, async (tx, announce) => {
      const trips = await lockTripsOf(tx, userId)
      const ended = await queries.updateOwnSessionEnded(tx, userId, sessionId, now())
      if (ended.length === 0) throw new Refusal('session_not_found')
      await announceSessionsEnded(tx, announce, ended, trips)
    }),
  )
}

export async function endOtherSessions({ pool, changes, now }: SessionsDeps, caller: Caller): Promise<void> {
  await retryConflicts(() =>
    changes.commit(pool, async (tx, announce) => {
      const trips = await lockTripsOf(tx, caller.userId)
      await endSessions(tx, announce, caller.userId, { exceptId: caller.sessionId, trips, now: now() })
    }),
  )
}

/**
 * Ends all sessions of a user except `exceptId`, with the trips that they wrote last. The caller starts its transaction again after a
 * `ConcurrentChangeError`.
 */
export async function endSessions(
  tx: Tx,
  announce: Announce,
  userId: UserId,
  { exceptId, trips, now }: { exceptId: SessionId | null; trips: LockedTrips; now: Date },
): Promise<void> {
  await announceSessionsEnded(tx, announce, await queries.updateSessionsEnded(tx, userId, exceptId, now), trips)
}

/**
 * Ends the sessions of an account that is deleted. Joins that transaction, which has ended all trips of the user. Its access tokens stay refused after a
 * restart.
 */
export async function revokeSessions(tx: Tx, announce: Announce, userId: UserId, now: Date): Promise<void> {
  announce.sessionsEnded(await queries.insertRevokedSessions(tx, userId, now))
}

/** Like `revokeSessions`, for an account that stays: also deletes the sessions. */
export async function eraseSessions(tx: Tx, announce: Announce, userId: UserId, now: Date): Promise<void> {
  await revokeSessions(tx, announce, userId, now)
  await queries.deleteSessionsOf(tx, userId)
}

/** Lists the sessions that ended so recently that the live channel could still accept an access token of theirs. */
export function listRecentlyEnded({ pool, now }: Pick<SessionsDeps, 'pool' | 'now'>): Promise<SessionId[]> {
  return queries.listSessionsEndedSince(pool, new Date(now().getTime() - endedSessionMemoryMs))
}

/**
 * Opens a session. Is sent with the commit. Refuses deleted and suspended accounts, and those
 * that can no longer be entered with `checked`.
 */
export async function openSession(
  { tx, withCommit }: { tx: Tx; withCommit: WithCommit },
  tokens: Tokens,
  userId: UserId,
  { device, method, id = newId<SessionId>(), checked }: SignIn,
  now: Date,
): Promise<AuthSession> {
  // The account is read after it is locked, so that no deletion misses the new session.
  const [isThere, user] = await inOrder([
    lockForSignIn(tx, userId, checked),
    findOwnUser(tx, userId),
    assertNotSuspended(tx, userId, now),
  ])
  if (!isThere || !user) throw new Refusal(refusals[method])
  const refreshToken = newSecretToken()
  const session = {
    id,
    userId,
    device: deviceOf(device.userAgent),
    language: device.language,
    method,
    tokenHash: hashOf(refreshToken),
  }
  withCommit(queries.insertSession(tx, { ...session, now, expiresAt: refreshExpiry(now) }))
  rememberDevice({ tx, withCommit }, userId, device.secret, now)
  return sessionAnswer(tokens, user, id, refreshToken)
}

/** The refusal if the account or its secret has disappeared since the secret was checked. */
const refusals = {
  password: 'invalid_credentials',
  google: 'invalid_identity_token',
  confirmation: 'confirmation_invalid',
  passkey: 'passkey_invalid',
  oidc: 'sign_in_attempt_invalid',
} as const satisfies Record<SignInMethod, string>

/** Locks the account with a shared lock. Returns whether it exists and can still be entered with `checked`. */
async function lockForSignIn(tx: Tx, userId: UserId, checked: CheckedSecret | undefined): Promise<boolean> {
  if (checked === undefined) return lockUserShared(tx, userId)
  if ('passwordHash' in checked) return lockUserWithPasswordShared(tx, userId, checked.passwordHash)
  // Not one statement: while that waits for the lock, it does not see changes to other tables.
  const [isThere, ownerId] = await inOrder([
    lockUserShared(tx, userId),
    findIdentity(tx, checked.issuer, checked.subject),
  ])
  return isThere && ownerId === userId
}

/**
 * Locks the account of the caller exclusively, and their session with a shared lock, before a change to how the account can be
 * entered. Refuses a caller whose session has ended since the call arrived.
 */
export async function lockCaller(tx: Tx, { userId, sessionId }: Caller, now: Date): Promise<void> {
  // The session is read after a change of the password that had the lock.
  const [user, isOpen] = await lockUserAndRead(tx, userId, () =>
    queries.lockOpenSessionShared(tx, userId, sessionId, now),
  )
  if (user === null || !isOpen) throw new Refusal('authentication_required')
}

/** Refuses like `lockCaller`, for a transaction that has locked the account in another way. */
export async function assertSessionOpen(tx: Tx, { userId, sessionId }: Caller, now: Date): Promise<void> {
  if (!(await findSignIn(tx, userId, sessionId, now))) throw new Refusal('authentication_required')
}

/** Adds the result of the friend code to the session of a new account, if it had one. */
export function withFriendLink(session: AuthSession, friend_link: FriendLinkResult | undefined): AuthSession {
  return friend_link === undefined ? session : { ...session, friend_link }
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
