import { createHmac, hkdfSync } from 'node:crypto'
import type { SessionId, UserId } from '@hither/contract/ids.ts'
import { authLimits } from '@hither/contract/runtime/auth/auth.ts'
import { createSigner, createVerifier } from 'fast-jwt'
import type { Caller, TokenVerifier } from '../platform/http/caller.ts'

export interface Tokens extends TokenVerifier {
  issue(userId: UserId, sessionId: SessionId): { token: string; expiresAt: number }
  /**
   * Returns the successor of a refresh token. It is deterministic, so that no copy of a successor has to be stored, and
   * unpredictable without the server's secret.
   */
  successorOf(refreshToken: string): string
  /** Refuses every token of these sessions as `revoked` from now on. */
  revoke(sessionIds: readonly SessionId[]): void
}

const lifeMs = authLimits.accessTokenSeconds * 1000

/** How long after its expiry an access token may still join the live channel, which waits for a fresh one. */
export const expiredTokenGraceMs = 24 * 3_600_000

/**
 * How long an ended session must be remembered: a token issued at its last moment could be used, or keep its place in
 * the live channel, until then.
 */
export const endedSessionMemoryMs = lifeMs + expiredTokenGraceMs

/** About 5 MB of tokens. The cache of the library is as slow as a signature check. */
const knownTokensMax = 10_000

/**
 * Signs and verifies access tokens (HS256 with `secret`), so that a request needs no database query. Ended sessions are
 * remembered as long as a token of theirs could be valid.
 */
export function createTokens(secret: string, now: () => Date): Tokens {
  const successorKey = Buffer.from(hkdfSync('sha256', secret, '', 'hither refresh tokens', 32))
  const sign = createSigner({ algorithm: 'HS256', key: secret, noTimestamp: true })
  // Expiry is checked below against the server's clock, to tell an expired token from a forged one.
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
      if (revokedAt.has(caller.sessionId)) return { state: 'revoked', caller }
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

  /** Caches the claims of a verified signature. The oldest entry is removed when the cache is full. */
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
