import { ConfigError, choice, onOff, type ReadSetting } from './values.ts'

/** The OpenID Connect provider of this server. */
export interface OidcSettings {
  /** As tokens name it, but always without a trailing slash. */
  readonly issuer: string
  readonly clientId: string
  /** `null`: the server is a public client. */
  readonly clientSecret: string | null
  /** The name on the button. */
  readonly name: string
  readonly scopes: string
  /** Who gets a new account: as the registration mode says, everybody, or nobody. */
  readonly signUp: (typeof signUpModes)[number]
  /** Whether all email addresses of the provider count as verified. */
  readonly trustsEmail: boolean
}

const signUpModes = ['registration', 'on', 'off'] as const
const nameMax = 40

/** The address to register with the provider. */
export function oidcRedirectUrl(publicUrl: string): string {
  return `${publicUrl}/api/auth/oidc/callback`
}

export function oidcOf(value: ReadSetting): OidcSettings | null {
  const issuer = issuerOf(value('OIDC_ISSUER'))
  const signUp = choice('OIDC_SIGNUP', value('OIDC_SIGNUP'), signUpModes, 'registration')
  const trustsEmail = onOff('OIDC_TRUST_EMAIL', value('OIDC_TRUST_EMAIL'), false)
  const scopes = scopesOf(value('OIDC_SCOPES'))
  const name = value('OIDC_NAME')
  if (name !== null && name.length > nameMax)
    throw new ConfigError(`OIDC_NAME must be at most ${nameMax} characters long.`)
  const clientId = value('OIDC_CLIENT_ID')
  const clientSecret = value('OIDC_CLIENT_SECRET')
  if (issuer === null) {
    if (clientId !== null) throw new ConfigError('OIDC_CLIENT_ID needs OIDC_ISSUER, the address of the provider.')
    return null
  }
  if (clientId === null)
    throw new ConfigError(
      'OIDC_CLIENT_ID is required with OIDC_ISSUER: the client id that the provider gave this server.',
    )
  return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).hostname, scopes, signUp, trustsEmail }
}

/** A path is part of the identifier of an issuer. Its last slash is left out: people write it or not. */
function issuerOf(text: string | null): string | null {
  if (text === null) return null
  const url = URL.canParse(text) ? new URL(text) : null
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (!url || !isSecure || url.username || url.password || url.search || url.hash)
    throw new ConfigError(
      'OIDC_ISSUER must be an address that starts with https://, without a query. Only a provider on this machine may use http://.',
    )
  return canonicalIssuer(text.replace(/\/\.well-known\/openid-configuration$/, ''))
}

/**
 * The same text for all spellings of one issuer: the host has no case, and people write the last slash or not. Only a valid
 * URL has another one.
 */
export function canonicalIssuer(text: string): string {
  if (!URL.canParse(text)) return text
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname}`.replace(/\/$/, '')
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

function scopesOf(text: string | null): string {
  const scopes = (text ?? 'openid email profile').split(/\s+/)
  if (scopes.includes('openid') && scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)))
    return scopes.join(' ')
  throw new ConfigError('OIDC_SCOPES must be scopes separated by spaces, openid among them.')
}

/**
 * The relying party of passkeys. Browsers allow passkeys on https with a domain name and on localhost.
 * `null`: passkeys are not available at this address.
 */
export interface PasskeySettings {
  readonly rpId: string
  readonly origin: string
}

export function passkeysOf(publicUrl: string): PasskeySettings | null {
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isDomain = !/^[\d.]+$|^\[/.test(hostname)
  return hostname === 'localhost' || (protocol === 'https:' && isDomain) ? { rpId: hostname, origin } : null
}
