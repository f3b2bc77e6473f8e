import type { AuthSession } from '@hither/contract/auth/auth.ts'
import type { Input } from '@hither/contract/operation.ts'
import type { OperationAt } from '@hither/contract/operations.ts'
import type { User } from '@hither/contract/users.ts'
import { createStore, useStore } from 'zustand'
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
import { t } from '../i18n/translate.ts'
import { clearSignupSecret, deviceSecret, signupSecret, storeSignupSecret } from './device-secrets.ts'
import { storeFriendLinkResult } from './friend-code.ts'
import { followLanguage, forgetUnsentLanguage, sendUnsentLanguage } from './language/language-choice.ts'

interface SessionState {
  user: User | null
  loading: boolean
  error: string | null
}

type SignUpResult = { requiresConfirmation: false } | { requiresConfirmation: true; email: string }

const renewalMarginMs = 60_000

/** Whether the user ended the last session of this tab by signing out. */
let isSignedOutByUser = false

let entrance: 'password' | 'sign_up' | null = null

const session = createStore<SessionState>(() => ({ user: signedInUser(), loading: false, error: null }))
const { setState } = session

/** Returns the session. Components re-render when it changes here or in another tab. */
export function useSession() {
  const { user, loading, error } = useStore(session)
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

export const sessionState: () => SessionState = session.getState

/** The path of a user who signed out must not be opened for the next user. */
export function hasSignedOut(): boolean {
  return isSignedOutByUser
}

/** Returns how the user has just signed in on this page, if it was with a password or by signing up. */
export function currentEntrance(): 'password' | 'sign_up' | null {
  return entrance
}

/** What is offered after a sign-in is offered once. */
export function clearEntrance() {
  entrance = null
}

export const subscribeToSession: (listener: () => void) => () => void = session.subscribe

/**
 * Follows the stored session until the returned function is called. Loads the profile if the device does not have it or
 * it is old.
 */
export function startSession(): () => void {
  const unsubscribe = subscribeToStoredSession(adoptStored)
  adoptStored()
  if (readStoredSession().accessToken !== null) {
    setState({ loading: sessionState().user === null })
    // Without a response the stored profile is used. The transport has already cleared an ended session.
    void checkSession()
      .then(syncLanguage)
      .finally(() => setState({ loading: false }))
  }
  return unsubscribe
}

export async function signIn(credentials: Input<OperationAt<'POST /auth/login'>>['body']): Promise<void> {
  await working(t('session.signInFailed'), async () =>
    enter(await call('POST /auth/login', { body: { ...credentials, ...thisDevice() } }, { auth: 'none' }), 'password'),
  )
}

/**
 * Signs in with the session that `request` returns, and ends the former session of this browser, also on the server.
 * `findPath` returns the path to open if the account has another language than the page; without it, the page is reloaded.
 */
export async function openSession(request: () => Promise<AuthSession>, findPath?: () => string): Promise<void> {
  await working(t('session.signInFailed'), async () => {
    const { accessToken: replaced } = readStoredSession()
    await enter(await request(), null, findPath)
    if (replaced !== null)
      await call('POST /auth/logout', { body: { access_token: replaced } }, { auth: 'none' }).catch(() => undefined)
  })
}

/** A token of the identity provider and the nonce that it was requested with. */
export interface IdentityProof {
  id_token: string
  nonce: string
}

/** What a visitor was invited with. */
export interface Admission {
  invitation?: string
  friend_code?: string
}

/** Signs in with the token of an identity provider. Creates the account if there is none. */
export async function signInWithGoogle(proof: IdentityProof, admission: Admission = {}): Promise<void> {
  await working(t('session.signInFailed'), async () => {
    await enter(
      await call('POST /auth/google', { body: { ...proof, ...thisDevice(), ...admission } }, { auth: 'none' }),
    )
  })
}

/**
 * Confirms an email address with the token from the email, and the password of the sign-up or the secret that this
 * browser stores. Ends the former session of this browser, also on the server; the screen has asked before.
 */
export async function confirmEmail(token: string, password: string | undefined): Promise<void> {
  const secret = signupSecret()
  const proof = {
    ...(password !== undefined && { password }),
    ...(secret !== undefined && { signup_secret: secret }),
  }
  await openSession(() => call('POST /auth/confirm', { body: { token, ...proof, ...thisDevice() } }, { auth: 'none' }))
  clearSignupSecret()
}

/** If the address must be confirmed first, no session is stored and no listener is called. */
export async function signUp(account: Input<OperationAt<'POST /auth/signup'>>['body']): Promise<SignUpResult> {
  return working(t('session.signUpFailed'), async () => {
    const answer = await call('POST /auth/signup', { body: { ...account, ...thisDevice() } }, { auth: 'none' })
    if ('requires_confirmation' in answer) {
      storeSignupSecret(answer.signup_secret)
      return { requiresConfirmation: true, email: answer.email }
    }
    await enter(answer, 'sign_up')
    return { requiresConfirmation: false }
  })
}

/** Always signs out on this device, in every tab. Notifies the server if it can be reached. */
export async function signOut(): Promise<void> {
  const { accessToken } = readStoredSession()
  entrance = null
  isSignedOutByUser = true
  forgetUnsentLanguage()
  clearStoredSession()
  if (accessToken === null) return
  await call('POST /auth/logout', { body: { access_token: accessToken } }, { auth: 'none' }).catch(() => undefined)
}

export async function refreshSession(): Promise<void> {
  await working(t('session.refreshFailed'), async () => {
    const { accessToken, refreshToken } = readStoredSession()
    if (refreshToken === null) {
      clearStoredSession()
      throw new ApiError(401, t('auth.noRefreshToken'))
    }
    await refreshAccessToken(accessToken)
    await loadProfile()
  })
}

/** The choice of this device wins over that of the account, because it is the newer one. */
async function syncLanguage() {
  const { user } = sessionState()
  if (user === null) return
  const changed = await sendUnsentLanguage(user)
  if (changed !== null) replaceUser(changed)
  followLanguage(changed ?? user)
}

/** Checks that the session is still valid, and ends it here if it is not. */
export async function checkSession(): Promise<void> {
  await loadProfile().catch(() => undefined)
}

function clearError() {
  setState({ error: null })
}

/** The account is deleted and its sessions with it, so the server needs no sign-out request. */
export function clearDeletedAccount() {
  isSignedOutByUser = true
  clearStoredSession()
}

/** Stores the profile that a call has just returned. */
export function replaceUser(user: User) {
  if (readStoredSession().user?.id === user.id) storeUser(user)
}

/**
 * Returns an access token that is valid for at least another minute, or null when signed out. Without network it
 * returns the current token.
 */
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

async function enter(session: AuthSession, by: typeof entrance = null, findPath?: () => string) {
  // Home is rendered as soon as the user is stored.
  entrance = by
  // Nothing of the former user of this device may remain.
  clearStoredSession()
  queryClient.clear()
  if (session.friend_link !== undefined) storeFriendLinkResult(session.friend_link)
  storeTokens(session)
  const user = await call('GET /users/me', {}).catch(() => session.user)
  isSignedOutByUser = false
  // The page is reloaded in the language of the account, and then begins with the session that is stored.
  if (followLanguage(user, findPath?.())) return new Promise<never>(() => undefined)
  // The user may have signed out during the request.
  if (readStoredSession().refreshToken !== null) storeUser(user)
}

async function loadProfile() {
  const before = readStoredSession()
  const user = await call('GET /users/me', {})
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
  const { user: before } = sessionState()
  if (user?.id !== before?.id) queryClient.clear()
  if (JSON.stringify(user) !== JSON.stringify(before)) setState({ user, ...(ended !== undefined && { error: ended }) })
}

/** A user without a token, or a token without its user, is a session that is partly written or partly cleared. */
function signedInUser(): User | null {
  const { accessToken, user } = readStoredSession()
  return accessToken === null ? null : user
}
