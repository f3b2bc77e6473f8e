import { createHmac, hkdfSync } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { type OidcSettings, oidcRedirectUrl } from '../../config/sign-in.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { challengeOf, identityIn, type OidcIdentity } from './oidc.rules.ts'
import { fetchFromProvider, ProviderUnreachable } from './provider-http.ts'

// Not import statements, which would load the modules even for types alone. Both are loaded with the first sign-in.
type OpenId = typeof import('openid-client')
type Configuration = import('openid-client').Configuration
type ServerMetadata = import('openid-client').ServerMetadata
type GetKey = import('jose').JWTVerifyGetKey

/** The OpenID Connect provider of this server. */
export interface OidcProvider {
  readonly settings: OidcSettings
  /** Returns the address at which a person signs in. Refuses with `sign_in_provider_unreachable`. */
  authorizationUrl(state: string): Promise<string>
  /**
   * Exchanges the code in the query of a callback, and verifies the ID token. Refuses with `sign_in_attempt_invalid` or
   * `sign_in_provider_unreachable`.
   */
  exchange(state: string, query: string): Promise<OidcIdentity>
  /** Reads what the provider publishes. Throws `ProviderUnreachable`. */
  discover(): Promise<void>
}

interface ProviderDeps {
  readonly settings: OidcSettings
  readonly publicUrl: string
  readonly authSecret: string
  readonly log: FastifyBaseLogger
  readonly now: () => Date
}

/** What the provider publishes about itself, with its keys. */
interface Published {
  readonly metadata: ServerMetadata
  /** Reads its keys, which are cached for as long as the rest. */
  getKeys(): Promise<GetKey>
}

const cacheMs = 3_600_000
const toleranceSeconds = 60
// Asymmetric algorithms only: with a symmetric one, a published key could be used as the secret.
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']

export function createOidcProvider({ settings, publicUrl, authSecret, log, now }: ProviderDeps): OidcProvider {
  const { issuer, clientId, scopes } = settings
  const key = Buffer.from(hkdfSync('sha256', authSecret, '', 'hither sign-in with a provider', 32))
  let published: Promise<Published> | null = null
  let readAt = 0

  // Both follow from the state, so that the steps of a sign-in may reach different nodes and no secret is stored.
  const verifierOf = (state: string) => derive(key, `verifier ${state}`)
  const nonceOf = (state: string) => derive(key, `nonce ${state}`)

  /** Read again after an hour. A failure is not cached. */
  function readPublished(): Promise<Published> {
    if (published && now().getTime() - readAt < cacheMs) return published
    readAt = now().getTime()
    const reading = readMetadata(issuer)
    published = reading
    reading.catch(() => {
      if (published === reading) published = null
    })
    return reading
  }

  async function refuseUnreachable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Refusal) throw error
      const unreachable = unreachableIn(error)
      if (unreachable) {
        log.warn({ reason: unreachable.message, err: unreachable.cause }, 'sign-in provider unavailable')
        throw new Refusal('sign_in_provider_unreachable')
      }
      log.info({ err: error }, 'answer of the sign-in provider refused')
      throw new Refusal('sign_in_attempt_invalid')
    }
  }

  return {
    settings,
    authorizationUrl: (state) =>
      refuseUnreachable(async () => {
        const { metadata } = await readPublished()
        const url = new URL(metadata.authorization_endpoint ?? '')
        const parameters = {
          ...{ response_type: 'code', client_id: clientId, redirect_uri: oidcRedirectUrl(publicUrl), scope: scopes },
          ...{ state, nonce: nonceOf(state), code_challenge: challengeOf(verifierOf(state)) },
          code_challenge_method: 'S256',
        }
        for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
        return url.href
      }),
    exchange: (state, query) =>
      refuseUnreachable(async () => {
        const { metadata, getKeys } = await readPublished()
        const openId = await import('openid-client')
        const configuration = configure(openId, metadata, settings, now())
        const url = new URL(`${oidcRedirectUrl(publicUrl)}?${query}`)
        const tokens = await openId.authorizationCodeGrant(configuration, url, {
          pkceCodeVerifier: verifierOf(state),
          expectedState: state,
          expectedNonce: nonceOf(state),
          idTokenExpected: true,
        })
        const claims = await readIdToken(tokens.id_token ?? '', await getKeys(), metadata.issuer)
        const identity = identityIn(issuer, await withUserInfo(openId, configuration, tokens.access_token, claims))
        if (!identity) throw new Refusal('sign_in_attempt_invalid')
        return identity
      }),
    async discover() {
      await readPublished()
    },
  }

  /** Verifies signature, issuer, audience and times. `openid-client` has compared the nonce. */
  async function readIdToken(token: string, getKey: GetKey, tokenIssuer: string): Promise<Record<string, unknown>> {
    const { jwtVerify } = await import('jose')
    const { payload } = await jwtVerify(token, getKey, {
      ...{ issuer: tokenIssuer, audience: clientId, algorithms, currentDate: now(), clockTolerance: toleranceSeconds },
      requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
    })
    const { aud, azp } = payload
    // OpenID Connect Core 1.0, 3.1.3.7: no other audience is trusted.
    const isForUs = (!Array.isArray(aud) || aud.length === 1) && (azp === undefined || azp === clientId)
    if (!isForUs) throw new Refusal('sign_in_attempt_invalid')
    return payload
  }
}

function derive(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

async function readMetadata(issuer: string): Promise<Published> {
  const response = await fetchFromProvider(`${issuer}/.well-known/openid-configuration`, {
    headers: { accept: 'application/json' },
  })
  if (response.status !== 200) throw new ProviderUnreachable('it publishes no OpenID Connect configuration')
  const metadata = (await response.json().catch(() => null)) as ServerMetadata | null
  // OpenID Connect Discovery 1.0, 4.3: the document must name the same issuer.
  if (typeof metadata?.issuer !== 'string' || withoutSlash(metadata.issuer) !== issuer)
    throw new ProviderUnreachable('it names another issuer than OIDC_ISSUER')
  const endpoints = [metadata.authorization_endpoint, metadata.token_endpoint, metadata.jwks_uri]
  if (!endpoints.every((endpoint) => isEndpoint(endpoint, issuer)))
    throw new ProviderUnreachable('its configuration lacks an endpoint')
  let keys: Promise<GetKey> | null = null
  return {
    metadata,
    getKeys() {
      keys ??= readKeys(metadata.jwks_uri ?? '')
      return keys
    },
  }
}

/** A token with an unknown key id reads the keys again, at most every 30 seconds, so that new keys are found. */
async function readKeys(address: string): Promise<GetKey> {
  const { createRemoteJWKSet, customFetch } = await import('jose')
  return createRemoteJWKSet(new URL(address), {
    ...{ timeoutDuration: 5000, cooldownDuration: 30_000, cacheMaxAge: cacheMs },
    [customFetch]: fetchFromProvider,
  })
}

function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, '')
}

/** Only an issuer without TLS, which is on this machine, may have endpoints without it. */
function isEndpoint(endpoint: unknown, issuer: string): boolean {
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return false
  const { protocol } = new URL(endpoint)
  return protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'))
}

function configure(
  openId: OpenId,
  metadata: ServerMetadata,
  { issuer, clientId, clientSecret }: OidcSettings,
  now: Date,
): Configuration {
  const client = {
    [openId.clockTolerance]: toleranceSeconds,
    // The library reads the clock of the process.
    [openId.clockSkew]: Math.round((now.getTime() - Date.now()) / 1000),
  }
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authenticate =
    clientSecret === null
      ? openId.None()
      : methods.includes('client_secret_basic')
        ? openId.ClientSecretBasic(clientSecret)
        : openId.ClientSecretPost(clientSecret)
  const configuration = new openId.Configuration(metadata, clientId, client, authenticate)
  configuration[openId.customFetch] = (url, options) => fetchFromProvider(url, options as RequestInit)
  if (issuer.startsWith('http:')) openId.allowInsecureRequests(configuration)
  return configuration
}

/** Some providers state the address only at the userinfo endpoint. */
async function withUserInfo(
  openId: OpenId,
  configuration: Configuration,
  accessToken: string,
  claims: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { userinfo_endpoint: endpoint, issuer } = configuration.serverMetadata()
  if (claims['email'] !== undefined || !isEndpoint(endpoint, issuer)) return claims
  const info = await openId.fetchUserInfo(configuration, accessToken, String(claims['sub']))
  return { ...info, ...claims }
}

/** The fault of an error that is not that of the attempt: no answer, or a server that the provider does not know. */
function unreachableIn(error: unknown, depth = 0): Error | null {
  if (typeof error !== 'object' || error === null || depth > 4) return null
  if (error instanceof ProviderUnreachable) return error
  const { code, error: oauthError, cause } = error as { code?: unknown; error?: unknown; cause?: unknown }
  if (oauthError === 'invalid_client' || oauthError === 'unauthorized_client')
    return new ProviderUnreachable('it does not accept OIDC_CLIENT_ID and OIDC_CLIENT_SECRET')
  const ofKeys = ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']
  if (ofKeys.includes(String(code))) return new ProviderUnreachable('its keys are unreadable')
  return unreachableIn(cause, depth + 1)
}
