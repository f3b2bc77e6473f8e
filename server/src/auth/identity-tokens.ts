import type { FastifyBaseLogger } from 'fastify'
import { Refusal } from '../platform/errors/refusal.ts'
import { type Claims, createIssuer } from './issuer.ts'
import { identityIn, type ProviderIdentity } from './oidc/oidc.rules.ts'
import { ProviderFault } from './provider-http.ts'

/** The tokens of Google's button, which the browser brings. */
export interface IdentityTokens {
  /**
   * Refuses everything except a token of the issuer for this service that is valid now and was issued at most ten
   * minutes ago. `nonce` is the value that the client sent to the issuer.
   */
  verify(token: string, nonce: string | undefined): Promise<ProviderIdentity>
}

interface IdentityTokensDeps {
  /** The URL of the issuer, without a trailing slash. */
  readonly url: string
  readonly clientId: string
  readonly log: FastifyBaseLogger
  readonly now: () => Date
}

const toleranceSeconds = 10
/** The maximum age, so that a token found later in a log or a history is useless. */
const ageMaxSeconds = 600

export function createIdentityTokens({ url, clientId, log, now }: IdentityTokensDeps): IdentityTokens {
  const issuer = createIssuer(url, now)
  return {
    async verify(token, nonce) {
      try {
        const claims = await issuer.verify(token, { clientId, nonce, toleranceSeconds })
        const identity = identityIn(url, claims, ['name'])
        if (!identity) throw new ProviderFault('its token has no usable subject', 'token')
        if (!isFresh(claims, now())) throw new ProviderFault('its token is more than ten minutes old', 'attempt')
        return identity
      } catch (error) {
        if (!(error instanceof ProviderFault)) throw error
        log.warn({ reason: error.message, err: error.cause }, 'identity token refused')
        throw new Refusal(error.fault === 'service' ? 'identity_provider_unreachable' : 'invalid_identity_token')
      }
    },
  }
}

/** Checks the age of a token. A clock of the issuer that is ahead is no reason to refuse. */
function isFresh({ iat }: Claims, now: Date): boolean {
  return typeof iat === 'number' && now.getTime() / 1000 - iat <= ageMaxSeconds + toleranceSeconds
}
