import { expiredTokenGraceMs } from '../../auth/tokens.ts'
import type { Caller, TokenVerifier } from '../../platform/http/caller.ts'

export interface Refused {
  readonly reason: string
  /** A retry cannot succeed: a `phx_close` follows the refusal, which stops the client's retries. */
  readonly isPermanent: boolean
}

/** Identifies the caller of a join by its token. */
export function callerOf(tokens: TokenVerifier, now: () => Date, token: unknown): Caller | Refused {
  if (!isUserToken(token)) return { reason: 'Unauthorized: there is no access token in the join', isPermanent: false }
  const check = tokens.check(token)
  switch (check.state) {
    case 'valid':
      return check.caller
    case 'expired':
      // A browser tab that wakes up joins with its old token and sends the fresh one right after the reply.
      if (now().getTime() - check.caller.expiresAt <= expiredTokenGraceMs) return check.caller
      return { reason: 'Unauthorized: the access token has expired', isPermanent: false }
    case 'revoked':
      return { reason: 'Unauthorized: the session has ended', isPermanent: true }
    case 'invalid':
      return { reason: 'Unauthorized: the access token is not valid', isPermanent: false }
  }
}

/** Tokens that begin with `sb_` are keys of an app, which do not identify a user. */
export function isUserToken(token: unknown): token is string {
  return typeof token === 'string' && token !== '' && !token.startsWith('sb_')
}
