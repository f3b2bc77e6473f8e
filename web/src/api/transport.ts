import type { ErrorBody } from '@hither/contract/error-body.ts'
import type { CallInput, Operation, Reply } from '@hither/contract/operation.ts'
import type { KnownAddress, MemberAddress, OperationAt } from '@hither/contract/operations.ts'
import { type Address, filledPath, splitAddress } from '@hither/contract/runtime/address.ts'
import { sharedLocks } from '../device/locks.ts'
import { t } from '../i18n/translate.ts'
import { ApiError } from './api-error.ts'
import { apiAddress } from './base-address.ts'
import { request } from './request.ts'
import {
  codesOfSentences,
  faultText,
  isKnownRefusal,
  refusalText,
  statusTextOf,
  validationText,
} from './server-texts.ts'
import { clearStoredSession, readStoredSession, storeTokens, subscribeToStoredSession } from './stored-session.ts'
import { untilOnline } from './until-online.ts'

export { ApiError } from './api-error.ts'

interface CallOptions {
  signal?: AbortSignal
  /** For the operations with the authentication `guest`. */
  guestToken?: string
}

export interface Parts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/**
 * Makes one call of the contract. After a 401 it refreshes the session and repeats the call once. Throws `ApiError`.
 * `options.auth` is needed for operations that do not require a session. The app loads no operations, so it cannot look it up.
 */
export function call<A extends MemberAddress>(
  address: A,
  input: CallInput<OperationAt<A>>,
  options?: CallOptions,
): Promise<Reply<OperationAt<A>>>
export function call<A extends Exclude<KnownAddress, MemberAddress>>(
  address: A,
  input: CallInput<OperationAt<A>>,
  options: CallOptions & { auth: OperationAt<A>['auth'] },
): Promise<Reply<OperationAt<A>>>
export function call<A extends KnownAddress>(
  address: A,
  input: CallInput<OperationAt<A>>,
  { auth = 'required', ...options }: CallOptions & { auth?: Operation['auth'] } = {},
): Promise<Reply<OperationAt<A>>> {
  return authorised(auth, (accessToken) => send(address, input as Parts, accessToken, options))
}

/** Runs `attempt` with the token that the operation requires, and once more with a new token after a 401. */
export async function authorised<T>(
  auth: Operation['auth'],
  attempt: (accessToken: string | null) => Promise<T>,
): Promise<T> {
  if (auth === 'none' || auth === 'guest') return attempt(null)

  const { accessToken, user } = readStoredSession()
  if (accessToken === null && auth === 'optional') return attempt(null)
  try {
    if (accessToken === null) throw signInNeeded()
    return await attempt(accessToken)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
  }
  try {
    const fresh = await refreshAccessToken(accessToken)
    // Another user has signed in. The call must not be repeated in their name.
    if (user !== null && readStoredSession().user?.id !== user.id) throw signInNeeded()
    return await attempt(fresh)
  } catch (error) {
    // Public data stays visible when a session ends.
    if (auth === 'optional' && error instanceof ApiError && error.status === 401) return attempt(null)
    throw error
  }
}

/** In milliseconds. Browsers propagate storage changes between tabs far faster. */
const storageDelayMs = 1000

let refreshing: { stale: string | null; token: Promise<string> } | null = null

/**
 * Returns a valid access token in place of `stale`. Parallel calls and tabs share one refresh: the tabs share a lock,
 * and the second holder finds a token that differs from `stale`. If the session has ended, clears it and throws a 401.
 * Without a response of the server the session stays as it is.
 */
export function refreshAccessToken(stale: string | null): Promise<string> {
  if (refreshing?.stale === stale) return refreshing.token
  const token = withRefreshLock(stale, () => renew(stale)).finally(() => {
    if (refreshing?.token === token) refreshing = null
  })
  refreshing = { stale, token }
  return token
}

async function renew(stale: string | null): Promise<string> {
  const before = readStoredSession()
  if (before.accessToken !== null && before.accessToken !== stale) return before.accessToken
  if (before.refreshToken === null) {
    clearStoredSession()
    throw signInNeeded()
  }
  try {
    const session = await send('POST /auth/refresh', { body: { refresh_token: before.refreshToken } }, null, {})
    // A sign-out or another sign-in during the request wins.
    const after = readStoredSession()
    if (after.refreshToken !== before.refreshToken) {
      if (after.accessToken !== null && after.user?.id === before.user?.id) return after.accessToken
      throw signInNeeded()
    }
    storeTokens(session)
    return session.access_token
  } catch (error) {
    if (!(error instanceof ApiError) || ![400, 401, 403, 422].includes(error.status)) throw error
    if (readStoredSession().refreshToken === before.refreshToken) clearStoredSession(t('auth.sessionExpired'))
    throw new ApiError(401, t('auth.sessionExpired'))
  }
}

/**
 * The Web Locks API exists in secure contexts only. Elsewhere the server's grace period covers two tabs that refresh at
 * once.
 */
async function withRefreshLock(stale: string | null, work: () => Promise<string>): Promise<string> {
  const locks = sharedLocks()
  if (locks === null) return work()
  const name = 'hither-refresh'
  const token = await locks.request(name, { ifAvailable: true }, (lock) => (lock === null ? null : work()))
  if (token !== null) return token
  return locks.request(name, async () => {
    await untilReplaced(stale)
    return work()
  })
}

/**
 * Waits for the token that another tab has stored, because storage changes may arrive after the lock was released and
 * key by key. Gives up after `storageDelayMs`, because the other refresh may have failed.
 */
function untilReplaced(stale: string | null): Promise<void> {
  if (readStoredSession().accessToken !== stale) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(finish, storageDelayMs)
    const unsubscribe = subscribeToStoredSession(() => {
      if (readStoredSession().accessToken !== stale) finish()
    })
    function finish() {
      clearTimeout(timer)
      unsubscribe()
      resolve()
    }
  })
}

async function send<A extends KnownAddress>(
  address: A,
  parts: Parts,
  accessToken: string | null,
  options: CallOptions,
): Promise<Reply<OperationAt<A>>> {
  const { method } = splitAddress(address)
  const headers = new Headers({ Accept: 'application/json' })
  if (accessToken !== null) headers.set('Authorization', `Bearer ${accessToken}`)
  if (options.guestToken !== undefined) headers.set('Authorization', `Guest ${options.guestToken}`)
  if (parts.body !== undefined) headers.set('Content-Type', 'application/json')

  const attempt = (signal: AbortSignal | null | undefined) =>
    request(urlOf(address, parts), {
      type: 'application/json',
      method,
      headers,
      // A cached response would have a past Date header, and could show locations that are no longer shared.
      cache: 'no-store',
      signal: signal ?? null,
      ...(parts.body !== undefined && { body: JSON.stringify(parts.body) }),
    })
  const isRepeatable = method === 'GET' || address === 'POST /auth/refresh'
  const { response, body } = await (isRepeatable ? untilOnline(attempt, options.signal) : attempt(options.signal))
  if (!response.ok) throw failureOf(response, body, 'API Error')
  return (response.status === 204 ? null : body) as Reply<OperationAt<A>>
}

export function urlOf(address: Address, { params, query = {} }: Parts): string {
  const path = filledPath(address, params)
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.append(name, String(value))
  }
  return apiAddress(search.size === 0 ? path : `${path}?${search}`)
}

/**
 * Returns the server's sentence as an error, or `what` with the status. An error that the server did not expect has no sentence, so
 * that the screen says what failed; the same holds for a server error (5xx) of an unknown kind.
 */
export function failureOf(response: Pick<Response, 'status' | 'statusText'>, body: unknown, what: string) {
  const { status } = response
  const { detail, message, code, incident } = (
    typeof body === 'object' && body !== null ? body : {}
  ) as Partial<ErrorBody> & { message?: unknown }
  if (Array.isArray(detail)) {
    const fieldErrors = detail.map((error) => ({ ...error, msg: faultText(error) }))
    return new ApiError(status, validationText(fieldErrors), { fieldErrors })
  }
  const serverText = [detail, message].find((text) => typeof text === 'string' && text !== '')
  if (typeof serverText !== 'string') return new ApiError(status, statusTextOf(response, what))
  const known = typeof code === 'string' ? code : (codesOfSentences[serverText] ?? null)
  if (status >= 500 && status !== 501 && !isKnownRefusal(known))
    return new ApiError(status, '', { code: known, incident: typeof incident === 'string' ? incident : null })
  return new ApiError(status, refusalText(known, serverText), { code: known })
}

function signInNeeded(): ApiError {
  return new ApiError(401, t('errors.authentication_required'), { code: 'authentication_required' })
}
