import { authTexts, refresh } from '@hither/contract/auth.ts'
import { type Input, type Operation, type Reply } from '@hither/contract/operation.ts'
import { type ErrorBody, refusals } from '@hither/contract/refusals.ts'
import { ApiError } from './api-error.ts'
import { apiAddress } from './base-address.ts'
import { noteServerDate } from './server-time.ts'
import { clearStoredSession, readStoredSession, storeTokens, subscribeToStoredSession } from './stored-session.ts'

export { ApiError } from './api-error.ts'

export interface CallOptions {
  signal?: AbortSignal
}

export const unreachable = 'Hither cannot be reached. Check your connection and try again.'

export interface Parts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/** Makes one call of the contract. A 401 is answered by one refresh of the session and one repetition. Throws `ApiError`. */
export async function call<O extends Operation>(
  operation: O,
  input: Input<O>,
  options: CallOptions = {},
): Promise<Reply<O>> {
  const parts = input as Parts
  return authorised(operation, (accessToken) => send(operation, parts, accessToken, options))
}

/** Makes one attempt with the token that the operation asks for, and one more with a fresh token after a 401. */
export async function authorised<T>(
  { auth }: Operation,
  attempt: (accessToken: string | null) => Promise<T>,
): Promise<T> {
  if (auth === 'none') return attempt(null)

  const { accessToken, user } = readStoredSession()
  if (accessToken === null && auth === 'optional') return attempt(null)
  try {
    if (accessToken === null) throw new ApiError(401, refusals.authentication_required.detail)
    return await attempt(accessToken)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
  }
  try {
    const fresh = await refreshAccessToken(accessToken)
    // Somebody else has come meanwhile: nothing is done in their name that they did not do.
    if (user !== null && readStoredSession().user?.id !== user.id)
      throw new ApiError(401, refusals.authentication_required.detail)
    return await attempt(fresh)
  } catch (error) {
    // What anybody may see stays visible when a session ends.
    if (auth === 'optional' && error instanceof ApiError && error.status === 401) return attempt(null)
    throw error
  }
}

/** Far longer than a browser needs from tab to tab. */
const storageDelayMs = 1000

let refreshing: { stale: string | null; token: Promise<string> } | null = null

/**
 * A working access token in place of `stale`. Parallel callers share one refresh, and so do tabs: the lock is theirs
 * together, and whoever gets it second finds a token that is no longer the stale one.
 * Throws a 401 after clearing the session where it has ended; a network failure leaves it as it is.
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
    throw new ApiError(401, refusals.authentication_required.detail)
  }
  try {
    const session = await send(refresh, { body: { refresh_token: before.refreshToken } }, null, {})
    // Somebody signed out, or in as another, while the answer was on its way: theirs is the last word.
    const after = readStoredSession()
    if (after.refreshToken !== before.refreshToken) {
      if (after.accessToken !== null && after.user?.id === before.user?.id) return after.accessToken
      throw new ApiError(401, refusals.authentication_required.detail)
    }
    storeTokens(session)
    return session.access_token
  } catch (error) {
    if (!(error instanceof ApiError) || ![400, 401, 403, 422].includes(error.status)) throw error
    if (readStoredSession().refreshToken === before.refreshToken) clearStoredSession(authTexts.sessionExpired)
    throw new ApiError(401, authTexts.sessionExpired)
  }
}

/** Locks exist in secure contexts only; elsewhere the server's grace for two tabs that race has to do. */
async function withRefreshLock(stale: string | null, work: () => Promise<string>): Promise<string> {
  const locks = globalThis.navigator?.locks
  if (locks === undefined) return work()
  const name = 'hither-refresh'
  const token = await locks.request(name, { ifAvailable: true }, (lock) => (lock === null ? null : work()))
  if (token !== null) return token
  return locks.request(name, async () => {
    await untilReplaced(stale)
    return work()
  })
}

/** What another tab has written may arrive after the lock it held, and key by key. Nothing comes where it failed. */
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

async function send<O extends Operation>(
  operation: O,
  parts: Parts,
  accessToken: string | null,
  options: CallOptions,
): Promise<Reply<O>> {
  const headers = new Headers({ Accept: 'application/json' })
  if (accessToken !== null) headers.set('Authorization', `Bearer ${accessToken}`)
  if (parts.body !== undefined) headers.set('Content-Type', 'application/json')

  const sentAtMs = Date.now()
  let response: Response
  let text: string
  try {
    response = await fetch(addressOf(operation, parts), {
      method: operation.method,
      headers,
      // A cached answer would carry a Date of the past, and show places that are no longer shared.
      cache: 'no-store',
      credentials: 'omit',
      ...(parts.body !== undefined && { body: JSON.stringify(parts.body) }),
      ...(options.signal && { signal: options.signal }),
    })
    noteServerDate(response.headers.get('Date'), sentAtMs, Date.now())
    text = await response.text()
  } catch (error) {
    if (options.signal?.aborted) throw error
    throw new ApiError(0, unreachable)
  }

  const body = parseJson(text)
  if (!response.ok) throw failureOf(response, body, 'API Error')
  if (response.status === 204) return null as Reply<O>
  if (body === undefined)
    throw new ApiError(response.status, `API Error: ${response.status} ${response.statusText}`.trim())
  return body as Reply<O>
}

export function addressOf(operation: Operation, { params = {}, query = {} }: Parts): string {
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.append(name, String(value))
  }
  return apiAddress(search.size === 0 ? path : `${path}?${search}`)
}

/** The server's own sentence, else `what` failed and the status. */
export function failureOf({ status, statusText }: { status: number; statusText: string }, body: unknown, what: string) {
  const { detail, message } = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorBody> & {
    message?: unknown
  }
  if (Array.isArray(detail)) {
    const faults = detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join(', ')
    return new ApiError(status, `Validation errors: ${faults}`, detail)
  }
  const said = [detail, message].find((text) => typeof text === 'string' && text !== '')
  return new ApiError(status, (said as string | undefined) ?? `${what}: ${status} ${statusText}`.trim())
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
