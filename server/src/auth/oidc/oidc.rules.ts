import { createHash } from 'node:crypto'
import { authLimits } from '@hither/contract/runtime/auth/auth.ts'
import { appSignedInUrl, signedInPath } from '@hither/contract/runtime/auth/oidc.ts'
import { isEmailAddress } from '@hither/contract/runtime/identifiers.ts'
import { usernameIn } from '../../users/users.rules.ts'
import type { Claims } from '../issuer.ts'

/** What a provider states about a person. */
export interface ProviderIdentity {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  /** Whether the provider says that the address belongs to the person. */
  readonly isEmailVerified: boolean
  /** What a username is derived from. */
  readonly name: string
}

/** Whether nothing is missing that the userinfo endpoint could add. */
export function isComplete(claims: Claims): boolean {
  return ['email', 'email_verified', 'preferred_username', 'name'].every((name) => isStated(claims[name]))
}

/**
 * Adds to the claims of an ID token what only the userinfo endpoint states. The address and whether it is verified come from
 * one of the two: otherwise the word of one could verify an address that the other names.
 */
export function mergeClaims(token: Claims, info: Claims): Claims {
  const hasAddress = emailIn(token['email']) !== null
  const isTokenPreferred = emailIn(info['email']) === null || (hasAddress && isStated(token['email_verified']))
  const { email, email_verified } = isTokenPreferred ? token : info
  const stated = Object.fromEntries(Object.entries(token).filter(([, value]) => isStated(value)))
  return { ...info, ...stated, email, email_verified }
}

function isStated(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** Reads verified claims. `null` without a usable subject. */
export function identityIn(
  issuer: string,
  claims: Claims,
  namesFrom: readonly string[] = ['preferred_username', 'name', 'email'],
): ProviderIdentity | null {
  const { sub, email_verified: isVerified } = claims
  if (typeof sub !== 'string' || sub === '' || sub.length > 255 || !isPlain(sub)) return null
  const email = emailIn(claims['email'])
  // Some providers send the boolean as a string.
  const isEmailVerified = isVerified === true || isVerified === 'true'
  return { issuer, subject: sub, email, isEmailVerified, name: nameIn(namesFrom.map((name) => claims[name])) }
}

function emailIn(value: unknown): string | null {
  return typeof value === 'string' && value.length <= authLimits.emailMax && isEmailAddress(value) ? value : null
}

/** Whether the database can store the text: it refuses NUL and half a surrogate pair. */
function isPlain(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text)
}

/** The first name from which a username can be derived; empty without one. */
function nameIn(names: readonly unknown[]): string {
  return names.map(plainName).find((name) => usernameIn(name) !== null) ?? ''
}

/** Of a name that is an address, only the part before the domain is used. The cut may divide a surrogate pair. */
function plainName(value: unknown): string {
  if (typeof value !== 'string') return ''
  const [local = ''] = value.slice(0, 200).split('@')
  return local.toWellFormed().replace(/\p{Cc}/gu, ' ')
}

/** The SHA-256 of a verifier in base64url, as the client computes it. */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/**
 * Returns the path if it is one of the web app, else `/`. Browsers read a backslash as a slash and skip tabs and line
 * breaks, so that such a text could lead to another host.
 */
export function returnPathOf(text: string | undefined): string {
  if (text === undefined || !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(text)) return '/'
  return URL.canParse(text, 'https://hither.invalid') &&
    new URL(text, 'https://hither.invalid').host === 'hither.invalid'
    ? text
    : '/'
}

export type OidcClient = 'web' | 'app'

/** Where a browser goes with the code of a sign-in. The fragment is sent to no server. */
export function signedInUrl(client: OidcClient, code: string, returnTo: string): string {
  const fragment = new URLSearchParams({ code, ...(returnTo !== '/' && { return_to: returnTo }) })
  return `${client === 'app' ? appSignedInUrl : signedInPath}#${fragment}`
}

const callbackErrors = ['sign_in_denied', 'sign_in_attempt_invalid', 'sign_in_provider_unreachable'] as const
type CallbackError = (typeof callbackErrors)[number]

export function isCallbackError(code: string): code is CallbackError {
  return (callbackErrors as readonly string[]).includes(code)
}

export function failedUrl(client: OidcClient, error: CallbackError): string {
  return `${client === 'app' ? appSignedInUrl : '/login'}#error=${error}`
}
