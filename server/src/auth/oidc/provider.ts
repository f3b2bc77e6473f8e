import { createHmac, hkdfSync } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { type OidcSettings, oidcRedirectUrl } from '../../config/sign-in.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { type Claims, createIssuer, endpointOf } from '../issuer.ts'
import { fetchFromProvider, ProviderFault, readMembers } from '../provider-http.ts'
import { challengeOf, identityIn, isComplete, mergeClaims, type ProviderIdentity } from './oidc.rules.ts'

/** The OpenID Connect provider of this server. */
export interface OidcProvider {
  readonly settings: OidcSettings
  /** Returns the address at which a person signs in. Refuses with `sign_in_provider_unreachable`. */
  authorizationUrl(state: string): Promise<string>
  /**
   * Exchanges the code in the query of a callback, and verifies the ID token. Refuses with `sign_in_denied`,
   * `sign_in_attempt_invalid` or, for everything that the person at the browser cannot mend,
   * `sign_in_provider_unreachable`.
   */
  exchange(state: string, query: string): Promise<ProviderIdentity>
  /** Reads what the provider publishes, and whether it knows this client. Throws `ProviderFault`. */
  check(): Promise<void>
  /** The last answer that this node refused. */
  lastRefusal(): RefusedAnswer | null
}

interface RefusedAnswer {
  readonly at: Date
  readonly reason: string
}

interface ProviderDeps {
  readonly settings: OidcSettings
  readonly publicUrl: string
  readonly authSecret: string
  readonly log: FastifyBaseLogger
  readonly now: () => Date
}

const toleranceSeconds = 60

export function createOidcProvider({ settings, publicUrl, authSecret, log, now }: ProviderDeps): OidcProvider {
  const { clientId, scopes } = settings
  const issuer = createIssuer(settings.issuer, now)
  const redirectUrl = oidcRedirectUrl(publicUrl)
  const key = Buffer.from(hkdfSync('sha256', authSecret, '', 'hither sign-in with a provider', 32))
  let lastRefusal: RefusedAnswer | null = null

  // Both follow from the state, so that the steps of a sign-in may reach different nodes and no secret is stored.
  const verifierOf = (state: string) => derive(key, `verifier ${state}`)
  const nonceOf = (state: string) => derive(key, `nonce ${state}`)

  function report(error: unknown): ProviderFault {
    if (!(error instanceof ProviderFault)) throw error
    lastRefusal = { at: now(), reason: error.message }
    log.warn({ reason: error.message, err: error.cause }, 'answer of the sign-in provider refused')
    return error
  }

  async function refuseFaults<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const { fault } = report(error)
      throw new Refusal(fault === 'attempt' ? 'sign_in_attempt_invalid' : 'sign_in_provider_unreachable')
    }
  }

  const requestTokens = (metadata: Claims, code: string, state: string) =>
    fetchTokens(endpointOf(metadata, 'token_endpoint'), methodOf(metadata, settings), {
      ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUrl, code_verifier: verifierOf(state) },
    })

  return {
    settings,
    lastRefusal: () => lastRefusal,
    authorizationUrl: (state) =>
      refuseFaults(async () => {
        const url = new URL(endpointOf(await issuer.readMetadata(), 'authorization_endpoint'))
        const parameters = {
          ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUrl, scope: scopes },
          ...{ state, nonce: nonceOf(state), code_challenge: challengeOf(verifierOf(state)) },
          code_challenge_method: 'S256',
        }
        for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
        return url.href
      }),
    async exchange(state, query) {
      const parameters = new URLSearchParams(query)
      if (parameters.get('error') === 'access_denied') throw new Refusal('sign_in_denied')
      return refuseFaults(async () => {
        const metadata = await issuer.readMetadata()
        const tokens = await requestTokens(metadata, codeIn(parameters, metadata), state)
        const { id_token: idToken, access_token: accessToken } = tokens
        if (typeof idToken !== 'string')
          throw new ProviderFault('its answer has no ID token: is the scope openid allowed?')
        const claims = await issuer.verify(idToken, { clientId, nonce: nonceOf(state), toleranceSeconds })
        const info = isComplete(claims) ? {} : await readUserInfo(metadata, accessToken, claims['sub'])
        const identity = identityIn(settings.issuer, mergeClaims(claims, info))
        if (!identity) throw new ProviderFault('its ID token has no usable subject', 'attempt')
        return identity
      })
    },
    async check() {
      const metadata = await issuer.readMetadata()
      endpointOf(metadata, 'authorization_endpoint')
      try {
        await requestTokens(metadata, 'a code that was never given', 'check')
      } catch (error) {
        // A provider that does not know the client refuses that, and not the code.
        if (error instanceof ProviderFault && (error.fault === 'attempt' || error.fault === 'request')) return
        throw error
      }
    },
  }

  /**
   * Some providers state a part of the claims only at the userinfo endpoint. Without its answer, a sign-in goes on with
   * what the ID token states.
   */
  async function readUserInfo(metadata: Claims, accessToken: unknown, subject: unknown): Promise<Claims> {
    if (metadata['userinfo_endpoint'] === undefined || typeof accessToken !== 'string') return {}
    try {
      const response = await fetchFromProvider(endpointOf(metadata, 'userinfo_endpoint'), {
        headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json, application/jwt' },
      })
      if (response.status !== 200) throw new ProviderFault(`its userinfo endpoint answers with ${response.status}`)
      const isSigned = response.headers.get('content-type')?.startsWith('application/jwt')
      const info = isSigned ? await issuer.verifySignature(await response.text()) : await readMembers(response)
      // OpenID Connect Core 1.0, 5.3.2: otherwise the claims of somebody else could be taken.
      if (info['sub'] !== subject) throw new ProviderFault('its userinfo endpoint describes another person')
      return info
    } catch (error) {
      report(error)
      return {}
    }
  }
}

function derive(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

/** The errors of OAuth 2.0, 4.1.2.1, and OpenID Connect Core 1.0, 3.1.2.6. Others could contain anything. */
const callbackErrors = [
  ...['invalid_request', 'unauthorized_client', 'unsupported_response_type', 'invalid_scope', 'server_error'],
  ...['temporarily_unavailable', 'interaction_required', 'login_required', 'account_selection_required'],
  ...['consent_required', 'invalid_request_uri', 'invalid_request_object', 'request_not_supported'],
  ...['request_uri_not_supported', 'registration_not_supported'],
]

/** The code of a callback. Whether its state is known was checked when the attempt was taken. */
function codeIn(parameters: URLSearchParams, metadata: Claims): string {
  const error = parameters.get('error')
  if (error !== null)
    throw new ProviderFault(`it refused the sign-in: ${callbackErrors.includes(error) ? error : 'unknown error'}`)
  // RFC 9207: otherwise the code of another provider could be taken for one of this provider.
  const issuer = parameters.get('iss')
  const isNamed = metadata['authorization_response_iss_parameter_supported'] === true
  if (issuer === null ? isNamed : issuer !== metadata['issuer'])
    throw new ProviderFault('its answer names another issuer')
  const code = parameters.get('code')
  if (code === null) throw new ProviderFault('its answer has no code', 'attempt')
  return code
}

/** What identifies the client at the token endpoint: a header or members of the form. */
interface ClientProof {
  readonly headers?: { readonly authorization: string }
  readonly members?: Readonly<Record<string, string>>
}

function methodOf(metadata: Claims, { clientId, clientSecret }: OidcSettings): ClientProof {
  if (clientSecret === null) return { members: { client_id: clientId } }
  const methods = metadata['token_endpoint_auth_methods_supported']
  if (Array.isArray(methods) && !methods.includes('client_secret_basic'))
    return { members: { client_id: clientId, client_secret: clientSecret } }
  const credentials = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64')
  return { headers: { authorization: `Basic ${credentials}` } }
}

/** RFC 6749, 2.3.1. */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}

async function fetchTokens(
  endpoint: string,
  { headers, members }: ClientProof,
  grant: Readonly<Record<string, string>>,
): Promise<Claims> {
  const response = await fetchFromProvider(endpoint, {
    method: 'POST',
    headers: { accept: 'application/json', ...headers },
    body: new URLSearchParams({ ...grant, ...members }),
  })
  const answer = await readMembers(response)
  const { error } = answer
  if (response.ok && error === undefined) return answer
  if (error === 'invalid_grant') throw new ProviderFault('it does not accept the code', 'attempt')
  if (response.status === 401 || error === 'invalid_client' || error === 'unauthorized_client')
    throw new ProviderFault('it does not accept OIDC_CLIENT_ID and OIDC_CLIENT_SECRET')
  throw new ProviderFault(
    `its token endpoint answers with ${response.status}`,
    response.status === 400 ? 'request' : 'service',
  )
}
