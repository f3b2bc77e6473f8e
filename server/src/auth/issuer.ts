import { canonicalIssuer } from '../config/sign-in.ts'
import { fetchFromProvider, ProviderFault, readMembers } from './provider-http.ts'

// Not an import statement, which would load the module even for types alone. It is loaded with the first token.
type GetKey = import('jose').JWTVerifyGetKey

export type Claims = Readonly<Record<string, unknown>>

interface TokenRules {
  readonly clientId: string
  /** What this sign-in sent to the issuer. A token with a nonce is refused without it. */
  readonly nonce: string | undefined
  readonly toleranceSeconds: number
}

/** An issuer of ID tokens. Each function throws `ProviderFault`. */
interface Issuer {
  /** What the issuer publishes about itself, read again after an hour. */
  readMetadata(): Promise<Claims>
  /** Returns the claims of an ID token that this issuer signed for this client, and that is valid now. */
  verify(token: string, rules: TokenRules): Promise<Claims>
  /** Returns the claims of any other text that this issuer signed. */
  verifySignature(token: string): Promise<Claims>
}

/** What an issuer publishes about itself, with its keys. */
interface Published {
  readonly metadata: Claims
  /** Reads its keys, which are cached for as long as the rest. */
  getKeys(): Promise<GetKey>
}

const cacheMs = 3_600_000
// Asymmetric algorithms only: with a symmetric one, a published key could be used as the secret.
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']

/** Nothing is read before the first use, so that the server starts without its issuer. */
export function createIssuer(url: string, now: () => Date): Issuer {
  let published: Promise<Published> | null = null
  let readAt = 0

  /** A failure is not cached. */
  function readPublished(): Promise<Published> {
    if (published && now().getTime() - readAt < cacheMs) return published
    readAt = now().getTime()
    const reading = publishedBy(url)
    published = reading
    reading.catch(() => {
      if (published === reading) published = null
    })
    return reading
  }

  async function verified(token: string, options: import('jose').JWTVerifyOptions): Promise<Claims> {
    const { jwtVerify } = await import('jose')
    const { getKeys } = await readPublished()
    try {
      return (await jwtVerify(token, await getKeys(), { algorithms, currentDate: now(), ...options })).payload
    } catch (error) {
      throw faultOf(error)
    }
  }

  return {
    readMetadata: async () => (await readPublished()).metadata,
    async verify(token, { clientId, nonce, toleranceSeconds }) {
      const { metadata } = await readPublished()
      const claims = await verified(token, {
        ...{ issuer: namesOf(String(metadata['issuer'])), audience: clientId, clockTolerance: toleranceSeconds },
        requiredClaims: ['sub', 'exp', 'iat'],
      })
      if (!isFor(clientId, claims)) throw new ProviderFault('its ID token is for another client', 'token')
      if ((claims['nonce'] ?? undefined) !== nonce)
        throw new ProviderFault('its ID token belongs to another sign-in', 'attempt')
      return claims
    },
    verifySignature: (token) => verified(token, { clockTolerance: 60 }),
  }
}

/** Google uses both forms: https://developers.google.com/identity/openid-connect/openid-connect */
function namesOf(issuer: string): string[] {
  return issuer === 'https://accounts.google.com' ? [issuer, 'accounts.google.com'] : [issuer]
}

/**
 * OpenID Connect Core 1.0, 3.1.3.7: the authorized party must be this client, and must be present with several
 * audiences. That this client is one of them was verified.
 */
function isFor(clientId: string, { aud, azp }: Claims): boolean {
  if (azp === undefined || azp === null) return !Array.isArray(aud) || aud.length === 1
  return azp === clientId
}

async function publishedBy(url: string): Promise<Published> {
  const response = await fetchFromProvider(`${url}/.well-known/openid-configuration`, {
    headers: { accept: 'application/json' },
  })
  if (response.status !== 200) throw new ProviderFault('it publishes no OpenID Connect configuration')
  const metadata = await readMembers(response)
  const { issuer } = metadata
  // OpenID Connect Discovery 1.0, 4.3: the document must name the same issuer.
  if (typeof issuer !== 'string' || canonicalIssuer(issuer) !== canonicalIssuer(url))
    throw new ProviderFault(`it names another issuer: ${shown(issuer)}`)
  const address = endpointOf(metadata, 'jwks_uri')
  let keys: Promise<GetKey> | null = null
  return {
    metadata,
    getKeys() {
      keys ??= readKeys(address)
      return keys
    },
  }
}

/** Text of the provider, for the log and Diagnostics. */
function shown(text: unknown): string {
  return typeof text === 'string' ? JSON.stringify(text.slice(0, 200)) : 'none'
}

/** Only an issuer without TLS, which is on this machine, may have endpoints without it. */
export function endpointOf(metadata: Claims, name: string): string {
  const { issuer, [name]: endpoint } = metadata
  const protocol = typeof endpoint === 'string' && URL.canParse(endpoint) ? new URL(endpoint).protocol : null
  if (protocol === 'https:' || (protocol === 'http:' && String(issuer).startsWith('http:'))) return String(endpoint)
  throw new ProviderFault(`its configuration has no usable ${name}`)
}

/** A token with an unknown key id reads the keys again, at most every 30 seconds, so that new keys are found. */
async function readKeys(address: string): Promise<GetKey> {
  const { createRemoteJWKSet, customFetch } = await import('jose')
  return createRemoteJWKSet(new URL(address), {
    ...{ timeoutDuration: 5000, cooldownDuration: 30_000, cacheMaxAge: cacheMs },
    [customFetch]: fetchFromProvider,
  })
}

/** Names what is wrong with a token by the error codes of `jose`. */
function faultOf(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error
  const { code, claim } = error as { code?: unknown; claim?: unknown }
  const options = { cause: error }
  switch (code) {
    case 'ERR_JWT_EXPIRED':
      return new ProviderFault('its token has expired: compare the clocks of both servers', 'token', options)
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      return new ProviderFault(`the claim ${String(claim)} of its token is missing or wrong`, 'token', options)
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
    case 'ERR_JOSE_NOT_SUPPORTED':
      return new ProviderFault(`its token is not signed with one of ${algorithms.join(', ')}`, 'token', options)
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
    case 'ERR_JWKS_NO_MATCHING_KEY':
    case 'ERR_JWKS_MULTIPLE_MATCHING_KEYS':
      return new ProviderFault('its token is not signed with a published key', 'token', options)
    case 'ERR_JWS_INVALID':
    case 'ERR_JWT_INVALID':
      return new ProviderFault('its token is unreadable', 'token', options)
    default:
      return new ProviderFault('its keys are unreadable', 'service', options)
  }
}
