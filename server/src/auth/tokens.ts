import { createHmac, hkdfSync } from 'node:crypto'
import { authLimits } from '@hither/contract/auth.ts'
import { type SessionId, type UserId } from '@hither/contract/ids.ts'
import { createSigner, createVerifier } from 'fast-jwt'

/** Who a valid access token speaks for. `expiresAt` in Unix milliseconds. */
export interface Caller {
  readonly userId: UserId
  readonly sessionId: SessionId
  readonly expiresAt: number
}

/**
 * What an access token is worth at this moment. `expired` had a right signature and its session was not ended: the live
 * channel may hold a place for its owner until a fresh one arrives, and nothing else may accept it.
 */
export type TokenCheck =
  | { readonly state: 'valid'; readonly caller: Caller }
  | { readonly state: 'expired'; readonly caller: Caller }
  | { readonly state: 'revoked' }
  | { readonly state: 'invalid' }

export interface Tokens {
  issue(userId: UserId, sessionId: SessionId): { token: string; expiresAt: number }
  /** Never throws, asks no database. */
  check(token: string): TokenCheck
  /**
   * The refresh token that follows this one: always the same, so that no copy of a successor has to be stored, and
   * unpredictable without the server's secret.
   */
  successorOf(refreshToken: string): string
  /** From now on every token of these sessions is `revoked`. */
  revoke(sessionIds: readonly SessionId[]): void
}

const lifeMs = authLimits.accessTokenSeconds * 1000

/** For this long after its expiry an access token may still join the live channel, which waits for a fresh one. */
export const expiredTokenGraceMs = 24 * 3_600_000

/**
 * For how long an ended session has to be remembered: a token of it that was issued at its last moment could be used until
 * then, or at least hold a place in the live channel.
 */
export const endedSessionMemoryMs = lifeMs + expiredTokenGraceMs

/** About 5 MB of them. The library's own memory takes as long to ask as a signature to make. */
const knownTokensMax = 10_000

/**
 * Access tokens: HS256 signed with `secret`, so that a request costs no look-up. Ended sessions are remembered for as
 * long as a token of theirs could still be valid.
 */
export function createTokens(secret: string, now: () => Date): Tokens {
  const successorKey = Buffer.from(hkdfSync('sha256', secret, '', 'hither refresh tokens', 32))
  const sign = createSigner({ algorithm: 'HS256', key: secret, noTimestamp: true })
  // Expiry is held against our own clock below: the caller needs to tell an expired token from a forged one.
  const verify = createVerifier({ algorithms: ['HS256'], key: secret, ignoreExpiration: true })
  const callers = new Map<string, Caller>()
  const revokedAt = new Map<SessionId, number>()

  return {
    issue(userId, sessionId) {
      const issuedAt = Math.floor(now().getTime() / 1000)
      const expiresAt = issuedAt + authLimits.accessTokenSeconds
      return {
        token: sign({ sub: userId, sid: sessionId, iat: issuedAt, exp: expiresAt }),
        expiresAt: expiresAt * 1000,
      }
    },
    check(token) {
      const caller = callers.get(token) ?? learn(token)
      if (!caller) return { state: 'invalid' }
      if (revokedAt.has(caller.sessionId)) return { state: 'revoked' }
      return { state: caller.expiresAt > now().getTime() ? 'valid' : 'expired', caller }
    },
    successorOf(refreshToken) {
      return createHmac('sha256', successorKey).update(refreshToken).digest('base64url')
    },
    revoke(sessionIds) {
      const at = now().getTime()
      for (const [sessionId, since] of revokedAt) {
        if (at - since <= endedSessionMemoryMs) break
        revokedAt.delete(sessionId)
      }
      for (const sessionId of sessionIds) revokedAt.set(sessionId, at)
    },
  }

  /** What a right signature says stays true. The one that came first goes when there are too many. */
  function learn(token: string): Caller | null {
    const caller = callerOf(token, verify)
    if (!caller) return null
    callers.set(token, caller)
    const [oldest] = callers.size > knownTokensMax ? callers.keys() : []
    if (oldest !== undefined) callers.delete(oldest)
    return caller
  }
}

function callerOf(token: string, verify: (token: string) => unknown): Caller | null {
  try {
    const { sub, sid, exp } = verify(token) as { sub?: unknown; sid?: unknown; exp?: unknown }
    if (typeof sub !== 'string' || typeof sid !== 'string' || typeof exp !== 'number') return null
    return { userId: sub as UserId, sessionId: sid as SessionId, expiresAt: exp * 1000 }
  } catch {
    return null
  }
}
