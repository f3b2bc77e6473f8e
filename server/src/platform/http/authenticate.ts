import type { FastifyRequest } from 'fastify'
import { Refusal } from '../errors/refusal.ts'
import { type Caller, credentialsOf, type TokenVerifier } from './caller.ts'
import { countRefusedToken, type LocalRateLimits } from './rate-limits.ts'

interface AuthenticationDeps {
  readonly tokens: TokenVerifier
  readonly ceilings: LocalRateLimits
}

/** Returns the caller by the access token of the request. Refuses and counts every other request. */
export function authenticate({ tokens, ceilings }: AuthenticationDeps, request: FastifyRequest): Caller {
  const check = tokens.check(tokenOf(request))
  if (check.state === 'valid') return check.caller
  const userId = check.state === 'invalid' ? undefined : check.caller.userId
  countRefusedToken(ceilings, { address: request.ip, userId })
  throw new Refusal('authentication_required')
}

/** The access token of a request; empty without one. */
export function tokenOf({ headers }: FastifyRequest): string {
  return credentialsOf(headers, 'Bearer')
}
