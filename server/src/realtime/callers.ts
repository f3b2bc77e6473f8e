import { type Caller, expiredTokenGraceMs, type Tokens } from '../auth/tokens.ts'

export interface Refused {
  readonly reason: string
  /** Trying again can never help: the refusal is followed by a `phx_close`, which stops the client's retries. */
  readonly isPermanent: boolean
}

/** Who joins, by the token they show. */
export function callerOf(tokens: Tokens, now: () => Date, token: unknown): Caller | Refused {
  if (!isUserToken(token)) return { reason: 'Unauthorized: there is no access token in the join', isPermanent: false }
  const check = tokens.check(token)
  switch (check.state) {
    case 'valid':
      return check.caller
    case 'expired':
      // A tab that wakes up joins with its old token and sends the fresh one right after the reply.
      if (now().getTime() - check.caller.expiresAt <= expiredTokenGraceMs) return check.caller
      return { reason: 'Unauthorized: the access token has expired', isPermanent: false }
    case 'revoked':
      return { reason: 'Unauthorized: the session has ended', isPermanent: true }
    case 'invalid':
      return { reason: 'Unauthorized: the access token is not valid', isPermanent: false }
  }
}

/** `sb_…` are keys of an app, which say nothing about a person. */
export function isUserToken(token: unknown): token is string {
  return typeof token === 'string' && token !== '' && !token.startsWith('sb_')
}
