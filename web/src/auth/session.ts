import { type AuthSession, authTexts, confirm, google, login, logout, signup } from '@hither/contract/auth.ts'
import { type Input } from '@hither/contract/operation.ts'
import { getMe, type User } from '@hither/contract/users.ts'
import { useSyncExternalStore } from 'react'
import { messageOf } from '../api/api-error.ts'
import { queryClient } from '../api/query-client.ts'
import { serverNow } from '../api/server-time.ts'
import {
  clearStoredSession,
  readStoredSession,
  storeTokens,
  storeUser,
  subscribeToStoredSession,
} from '../api/stored-session.ts'
import { ApiError, call, refreshAccessToken } from '../api/transport.ts'
import { clearSignupSecret, deviceSecret, signupSecret, storeSignupSecret } from './device-secrets.ts'
import { sessionTexts } from './strings.ts'

interface SessionState {
  user: User | null
  loading: boolean
  error: string | null
}

export type SignUpResult = { requiresConfirmation: false } | { requiresConfirmation: true; email: string }

const renewalMarginMs = 60_000

/** Whether the last session of this tab ended because its user wished so. */
let hasLeft = false

let state: SessionState = { user: signedInUser(), loading: false, error: null }
const listeners = new Set<() => void>()

/** The session as screens see it. Components re-render when it changes here or in another tab. */
export function useSession() {
  const { user, loading, error } = useSyncExternalStore(subscribeToSession, sessionState)
  return {
    user,
    loading,
    error,
    isAuthenticated: user !== null,
    signIn,
    signUp,
    signOut,
    refreshSession,
    clearError,
  }
}

export function sessionState(): SessionState {
  return state
}

/** The place of someone who signed out is not for whoever signs in next. */
export function hasSignedOut(): boolean {
  return hasLeft
}

export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Follows the stored session from here on, and asks the server who we are where the device does not know it, or not lately. */
export function startSession(): () => void {
  const unsubscribe = subscribeToStoredSession(adoptStored)
  adoptStored()
  if (readStoredSession().accessToken !== null) {
    setState({ loading: state.user === null })
    // Without an answer the stored profile serves; an ended session has been cleared by the transport.
    void checkSession().finally(() => setState({ loading: false }))
  }
  return unsubscribe
}

export async function signIn(credentials: Input<typeof login>['body']): Promise<void> {
  await working(sessionTexts.signInFailed, async () =>
    enter(await call(login, { body: { ...credentials, ...thisDevice() } })),
  )
}

/** A token of the identity provider and the nonce that it was requested with. */
export interface IdentityProof {
  id_token: string
  nonce: string
}

/** With the token of an identity provider; makes the account where there is none yet. */
export async function signInWithGoogle(proof: IdentityProof, invitation?: string): Promise<void> {
  await working(sessionTexts.signInFailed, async () => {
    const body = { ...proof, ...thisDevice(), ...(invitation !== undefined && { invitation }) }
    await enter(await call(google, { body }))
  })
}

/**
 * With the token out of the confirmation mail and the password of the sign-up, or the secret that this browser holds. A
 * session that was here before ends, also on the server: the screen has asked.
 */
export async function confirmEmail(token: string, password: string | undefined): Promise<void> {
  await working(sessionTexts.signInFailed, async () => {
    const secret = signupSecret()
    const proof = {
      ...(password !== undefined && { password }),
      ...(secret !== undefined && { signup_secret: secret }),
    }
    const { accessToken: replaced } = readStoredSession()
    await enter(await call(confirm, { body: { token, ...proof, ...thisDevice() } }))
    clearSignupSecret()
    if (replaced !== null) await call(logout, { body: { access_token: replaced } }).catch(() => undefined)
  })
}

/** Where the address has to be confirmed first, no session is stored and no listener is called. */
export async function signUp(account: Input<typeof signup>['body']): Promise<SignUpResult> {
  return working(sessionTexts.signUpFailed, async () => {
    const answer = await call(signup, { body: { ...account, ...thisDevice() } })
    if ('requires_confirmation' in answer) {
      storeSignupSecret(answer.signup_secret)
      return { requiresConfirmation: true, email: answer.email }
    }
    await enter(answer)
    return { requiresConfirmation: false }
  })
}

/** Always signs out here, in every tab; the server is told as far as it can be reached. */
export async function signOut(): Promise<void> {
  const { accessToken } = readStoredSession()
  hasLeft = true
  clearStoredSession()
  if (accessToken === null) return
  await call(logout, { body: { access_token: accessToken } }).catch(() => undefined)
}

export async function refreshSession(): Promise<void> {
  await working(sessionTexts.refreshFailed, async () => {
    const { accessToken, refreshToken } = readStoredSession()
    if (refreshToken === null) {
      clearStoredSession()
      throw new ApiError(401, authTexts.noRefreshToken)
    }
    await refreshAccessToken(accessToken)
    await loadProfile()
  })
}

/** Finds out whether the session still stands, and ends it here where it does not. */
export async function checkSession(): Promise<void> {
  await loadProfile().catch(() => undefined)
}

export function clearError() {
  setState({ error: null })
}

/** The account is no more, and with it the session: there is nothing left to tell the server. */
export function leaveDeletedAccount() {
  hasLeft = true
  clearStoredSession()
}

/** The profile as a call has just returned it. */
export function adoptUser(user: User) {
  if (readStoredSession().user?.id === user.id) storeUser(user)
}

/** An access token that is good for another minute, or null when signed out. Without network: the one there is. */
export async function getFreshAccessToken(): Promise<string | null> {
  const { accessToken, expiresAt } = readStoredSession()
  if (accessToken === null) return null
  if (expiresAt === null || expiresAt * 1000 - serverNow() > renewalMarginMs) return accessToken
  return refreshAccessToken(accessToken).catch(() => readStoredSession().accessToken)
}

function thisDevice(): { device_secret?: string } {
  const secret = deviceSecret()
  return secret === undefined ? {} : { device_secret: secret }
}

async function enter(session: AuthSession) {
  // Whoever was here before on this device leaves nothing behind.
  clearStoredSession()
  queryClient.clear()
  storeTokens(session)
  const user = await call(getMe, {}).catch(() => session.user)
  hasLeft = false
  // Unless someone has signed out in the meantime.
  if (readStoredSession().refreshToken !== null) storeUser(user)
}

async function loadProfile() {
  const before = readStoredSession()
  const user = await call(getMe, {})
  const { accessToken, user: stored } = readStoredSession()
  if (accessToken !== null && (stored === null || stored.id === (before.user?.id ?? user.id))) storeUser(user)
}

async function working<T>(failure: string, work: () => Promise<T>): Promise<T> {
  setState({ loading: true, error: null })
  try {
    const result = await work()
    setState({ loading: false })
    return result
  } catch (error) {
    setState({ loading: false, error: messageOf(error, failure) })
    throw error
  }
}

function adoptStored(ended?: string) {
  const user = signedInUser()
  if (user?.id !== state.user?.id) queryClient.clear()
  if (JSON.stringify(user) !== JSON.stringify(state.user))
    setState({ user, ...(ended !== undefined && { error: ended }) })
}

/** A user without a token, or a token without its user, is a session half written or half cleared. */
function signedInUser(): User | null {
  const { accessToken, user } = readStoredSession()
  return accessToken === null ? null : user
}

function setState(change: Partial<SessionState>) {
  state = { ...state, ...change }
  for (const listener of [...listeners]) listener()
}
