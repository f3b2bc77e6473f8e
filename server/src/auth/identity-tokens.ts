import { authLimits } from '@hither/contract/runtime/auth/auth.ts'
import { isEmailAddress } from '@hither/contract/runtime/identifiers.ts'
import { Refusal } from '../platform/errors/refusal.ts'

// Not an import statement, which would load the module even for types alone.
type JWTPayload = import('jose').JWTPayload
type JWTVerifyGetKey = import('jose').JWTVerifyGetKey

/** The identity that an identity provider asserts. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** Verified by the provider. */
  readonly email: string
  readonly name: string
}

export interface IdentityTokens {
  /**
   * Refuses everything except a token of the issuer for this service with a verified address that is valid now and was
   * issued at most ten minutes ago. `nonce` is the value that the client sent to the issuer; a token with a nonce is
   * refused without it.
   */
  verify(token: string, nonce: string | undefined): Promise<Identity>
}

interface Issuer {
  /** The URL of the issuer, without a trailing slash. */
  readonly url: string
  readonly clientId: string
}

const fetchTimeoutMs = 5000
const clockToleranceSeconds = 10
/** The maximum age, so that a token found later in a log or a history is useless. */
const tokenAgeMaxSeconds = 600
/** Google uses both forms: https://developers.google.com/identity/openid-connect/openid-connect */
const namesOfGoogle = ['https://accounts.google.com', 'accounts.google.com']

export function createIdentityTokens(issuer: Issuer, now: () => Date): IdentityTokens {
  const keys = createKeys(issuer.url)
  return {
    async verify(token, nonce) {
      const payload = await read(token, keys, issuer, now())
      const identity = identityOf(payload, issuer.url)
      const isOurs = isForUs(payload, issuer.clientId) && payload['nonce'] === nonce
      if (!identity || !isOurs || !isFresh(payload, now())) throw new Refusal('invalid_identity_token')
      return identity
    },
  }
}

async function read(token: string, keys: () => Promise<JWTVerifyGetKey>, issuer: Issuer, now: Date) {
  const { errors, jwtVerify } = await import('jose')
  try {
    const { payload } = await jwtVerify(token, await keys(), {
      issuer: issuer.url === namesOfGoogle[0] ? namesOfGoogle : issuer.url,
      audience: issuer.clientId,
      // Asymmetric algorithms only: with a symmetric one, the published key could be used as the secret.
      algorithms: ['RS256', 'ES256'],
      requiredClaims: ['sub', 'exp', 'email', 'email_verified'],
      currentDate: now,
      clockTolerance: clockToleranceSeconds,
    })
    return payload
  } catch (error) {
    throw new Refusal(isUnreachable(error, errors) ? 'identity_provider_unreachable' : 'invalid_identity_token')
  }
}

/** Returns whether fetching the keys failed, which does not make the token invalid. */
function isUnreachable(error: unknown, errors: typeof import('jose').errors): boolean {
  if (!(error instanceof errors.JOSEError)) return true
  return error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid || error.code === 'ERR_JOSE_GENERIC'
}

/**
 * OpenID Connect Core 1.0, 3.1.3.7: the authorized party must be this client, and must be present with several
 * audiences.
 */
function isForUs({ aud, azp }: JWTPayload, clientId: string): boolean {
  if (azp === undefined) return !Array.isArray(aud) || aud.length === 1
  return azp === clientId
}

/** Checks the age of a token. A clock of the issuer that is ahead is no reason to refuse. */
function isFresh({ iat }: JWTPayload, now: Date): boolean {
  return iat !== undefined && now.getTime() / 1000 - iat <= tokenAgeMaxSeconds + clockToleranceSeconds
}

function identityOf(payload: JWTPayload, issuer: string): Identity | null {
  const { sub, email, email_verified: isVerified, name } = payload
  if (typeof sub !== 'string' || sub === '' || sub.length > 255 || sub.includes('\0')) return null
  if (typeof email !== 'string' || email.length > authLimits.emailMax || !isEmailAddress(email)) return null
  // Some providers send the boolean as a string.
  if (isVerified !== true && isVerified !== 'true') return null
  return { issuer, subject: sub, email, name: typeof name === 'string' ? name : '' }
}

/**
 * Loads the keys of the issuer through its discovery document, which is fetched once. Keys are cached for ten minutes.
 * A token with an unknown key id fetches them again, at most every 30 seconds, so that new keys are found.
 */
function createKeys(issuer: string): () => Promise<JWTVerifyGetKey> {
  let keys: Promise<JWTVerifyGetKey> | null = null
  return () => {
    keys ??= discover(issuer).catch((error: unknown) => {
      keys = null
      throw error
    })
    return keys
  }
}

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(fetchTimeoutMs),
    headers: { accept: 'application/json' },
  })
  if (!response.ok) throw new Error(`The identity issuer answered ${response.status}`)
  const document = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown }
  // OpenID Connect Discovery 1.0, 4.3: the document must name the same issuer.
  if (document.issuer !== issuer || typeof document.jwks_uri !== 'string')
    throw new Error('The identity issuer published a document that is not its own')
  const { createRemoteJWKSet } = await import('jose')
  return createRemoteJWKSet(new URL(document.jwks_uri), {
    timeoutDuration: fetchTimeoutMs,
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
  })
}
