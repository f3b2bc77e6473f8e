import type { SessionId, UserId } from '@hither/contract/ids.ts'

/** The person and session that a valid access token speaks for. `expiresAt` in Unix milliseconds. */
export interface Caller {
  readonly userId: UserId
  readonly sessionId: SessionId
  readonly expiresAt: number
}

/**
 * The state of an access token at this moment. `revoked`: its session has ended. `expired`: the signature is right and the session has not ended. Only the live
 * channel may accept such a token, to keep a place for its owner until a fresh one arrives.
 */
export type TokenCheck =
  | { readonly state: 'valid'; readonly caller: Caller }
  | { readonly state: 'expired'; readonly caller: Caller }
  | { readonly state: 'revoked'; readonly caller: Caller }
  | { readonly state: 'invalid' }

/** The credentials of the header `Authorization` under a scheme, unchecked; empty without any. */
export function credentialsOf({ authorization = '' }: { authorization?: string | undefined }, scheme: string): string {
  const [named = '', token = '', ...others] = authorization.trim().split(/[ \t]+/)
  return named.toLowerCase() === scheme.toLowerCase() && others.length === 0 ? token : ''
}

/** Checks access tokens. */
export interface TokenVerifier {
  /** Never throws and needs no database. */
  check(token: string): TokenCheck
}
