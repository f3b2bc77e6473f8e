import { createHash, randomBytes } from 'node:crypto'
import { type AuthSession, authLimits } from '@hither/contract/auth.ts'
import { type SessionId, type UserId } from '@hither/contract/ids.ts'
import { type Changes } from '../platform/changes.ts'
import { type Db, type Pool } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { createUser, getOwnUser } from '../users/users.service.ts'
import {
  findCredentials,
  insertRefreshToken,
  insertSession,
  listSessionsEndedSince,
  lockRefreshToken,
  updateSessionEnded,
  updateSessionUsed,
  updateTokenUsed,
} from './auth.queries.ts'
import { judgeRefresh } from './auth.rules.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { type Tokens } from './tokens.ts'

export interface AuthDeps {
  pool: Pool
  changes: Changes
  tokens: Tokens
  now: () => Date
}

const dayMs = 86_400_000

/** Makes the account and signs it in. Refuses a taken username or address. */
export async function signUp(
  { pool, changes, tokens, now }: AuthDeps,
  input: { email: string; password: string; username: string },
): Promise<AuthSession> {
  // Outside the transaction: hashing takes longer than all of its statements.
  const passwordHash = await hashPassword(input.password)
  return changes.commit(pool, async (db) => {
    const userId = newId<UserId>()
    await createUser(db, { id: userId, email: input.email, username: input.username, passwordHash, now: now() })
    return openSession(db, tokens, userId, now())
  })
}

/** The same refusal, after the same work, whether the address is unknown or the password wrong. */
export async function signIn(
  { pool, changes, tokens, now }: AuthDeps,
  input: { email: string; password: string },
): Promise<AuthSession> {
  const credentials = await findCredentials(pool, input.email)
  const matches = await isPassword(input.password, credentials?.password_hash)
  if (!credentials || !matches) throw new Refusal('invalid_credentials')
  return changes.commit(pool, (db) => openSession(db, tokens, credentials.id, now()))
}

/** Changes a refresh token for a new one; a token used before, and not just now, ends its whole family. */
export async function refreshSession(
  { pool, changes, tokens, now }: AuthDeps,
  refreshToken: string,
): Promise<AuthSession> {
  const session = await changes.commit(pool, async (db, announce) => {
    const hash = hashOf(refreshToken)
    const row = await lockRefreshToken(db, hash)
    if (!row) return null
    const verdict = judgeRefresh(row, now())
    if (verdict === 'ended') return null
    if (verdict === 'reused') {
      announce.sessionsEnded(await updateSessionEnded(db, row.session_id, now()))
      // Returned, not thrown: the end of the family must commit.
      return null
    }
    await updateTokenUsed(db, hash, now())
    await updateSessionUsed(db, row.session_id, now(), refreshExpiry(now()))
    return sessionAnswer(db, tokens, row.user_id, row.session_id, now())
  })
  if (!session) throw new Refusal('invalid_refresh_token')
  return session
}

/** Ends the session an access token belongs to, expired or not; anything else is quietly nothing. */
export async function signOut({ pool, changes, tokens, now }: AuthDeps, accessToken: string): Promise<void> {
  const check = tokens.check(accessToken)
  if (check.state !== 'valid' && check.state !== 'expired') return
  await changes.commit(pool, async (db, announce) => {
    announce.sessionsEnded(await updateSessionEnded(db, check.caller.sessionId, now()))
  })
}

/** At start: access tokens of sessions ended before a restart stay refused after it. */
export async function revokeRecentlyEnded({ pool, tokens, now }: AuthDeps): Promise<void> {
  const since = new Date(now().getTime() - 2 * authLimits.accessTokenSeconds * 1000)
  tokens.revoke(await listSessionsEndedSince(pool, since))
}

async function openSession(db: Db, tokens: Tokens, userId: UserId, now: Date): Promise<AuthSession> {
  const sessionId = newId<SessionId>()
  await insertSession(db, { id: sessionId, userId, now, expiresAt: refreshExpiry(now) })
  return sessionAnswer(db, tokens, userId, sessionId, now)
}

async function sessionAnswer(
  db: Db,
  tokens: Tokens,
  userId: UserId,
  sessionId: SessionId,
  now: Date,
): Promise<AuthSession> {
  const refreshToken = randomBytes(32).toString('base64url')
  await insertRefreshToken(db, { hash: hashOf(refreshToken), sessionId, now })
  const access = tokens.issue(userId, sessionId)
  return {
    access_token: access.token,
    refresh_token: refreshToken,
    expires_in: authLimits.accessTokenSeconds,
    expires_at: Math.floor(access.expiresAt / 1000),
    token_type: 'bearer',
    user: await getOwnUser(db, userId),
  }
}

function refreshExpiry(now: Date): Date {
  return new Date(now.getTime() + authLimits.refreshTokenDays * dayMs)
}

// A token is 256 random bits: a plain digest is enough, and lets it be found by an index.
function hashOf(refreshToken: string): Buffer {
  return createHash('sha256').update(refreshToken).digest()
}
