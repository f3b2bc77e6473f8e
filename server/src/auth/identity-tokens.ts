import { authLimits, emailPattern } from '@hither/contract/auth.ts'
import { Refusal } from '../platform/refusal.ts'

// Not an import statement: it would load the module, even for types alone.
type JWTPayload = import('jose').JWTPayload
type JWTVerifyGetKey = import('jose').JWTVerifyGetKey

/** Whom an identity provider vouches for. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** Verified to be theirs. */
  readonly email: string
  readonly name: string
}

export interface IdentityTokens {
  /**
   * Refuses whatever is not a token of the issuer for this service, valid now, issued at most ten minutes ago, of a verified
   * address. `nonce` is the value that the client sent to the issuer; a token with a nonce is refused without it.
   */
  verify(token: string, nonce: string | undefined): Promise<Identity>
}

export interface Issuer {
  /** Without a trailing slash. */
  readonly url: string
  readonly clientId: string
}

const fetchTimeoutMs = 5000
const clockToleranceSeconds = 10
/** A token found later, in a log or a history, signs nobody in. */
const tokenAgeMaxSeconds = 600
/** Both are in use by it, and documented: https://developers.google.com/identity/openid-connect/openid-connect */
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
      // Public keys only: a secret shared with nobody could be "guessed" from what is published.
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

/** Failures to fetch the keys are no fault of the token. */
function isUnreachable(error: unknown, errors: typeof import('jose').errors): boolean {
  if (!(error instanceof errors.JOSEError)) return true
  return error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid || error.code === 'ERR_JOSE_GENERIC'
}

/** OpenID Connect Core 1.0, 3.1.3.7: the authorized party must be this client, and must be named if there are several audiences. */
function isForUs({ aud, azp }: JWTPayload, clientId: string): boolean {
  if (azp === undefined) return !Array.isArray(aud) || aud.length === 1
  return azp === clientId
}

/** The issuer's clock may be ahead of ours, which is no reason to refuse. */
function isFresh({ iat }: JWTPayload, now: Date): boolean {
  return iat !== undefined && now.getTime() / 1000 - iat <= tokenAgeMaxSeconds + clockToleranceSeconds
}

function identityOf(payload: JWTPayload, issuer: string): Identity | null {
  const { sub, email, email_verified: isVerified, name } = payload
  if (typeof sub !== 'string' || sub === '' || sub.length > 255 || sub.includes('\0')) return null
  if (typeof email !== 'string' || email.length > authLimits.emailMax || !new RegExp(emailPattern).test(email))
    return null
  // Some providers write it as a text.
  if (isVerified !== true && isVerified !== 'true') return null
  return { issuer, subject: sub, email, name: typeof name === 'string' ? name : '' }
}

/**
 * The issuer's keys by way of its discovery document, which is asked for once. The keys are kept for ten minutes, and asked
 * for again at most every half minute where a token names one that is not among them: that is how a new key becomes known.
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
  // OpenID Connect Discovery 1.0, 4.3: it must be its own.
  if (document.issuer !== issuer || typeof document.jwks_uri !== 'string')
    throw new Error('The identity issuer published a document that is not its own')
  const { createRemoteJWKSet } = await import('jose')
  return createRemoteJWKSet(new URL(document.jwks_uri), {
    timeoutDuration: fetchTimeoutMs,
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
  })
}
