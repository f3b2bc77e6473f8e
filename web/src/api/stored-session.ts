import type { AuthSession } from '@hither/contract/auth/auth.ts'
import type { User } from '@hither/contract/users.ts'
import { deviceStorage } from '../device/storage.ts'

/** The session as stored on the device. All tabs read and write the same record. */
interface StoredSession {
  accessToken: string | null
  refreshToken: string | null
  /** In Unix seconds. */
  expiresAt: number | null
  user: User | null
}

const keys = {
  accessToken: 'access_token',
  refreshToken: 'refresh_token',
  expiresAt: 'expires_at',
  user: 'user',
} as const

/** `ended` is the reason if the session ended without a sign-out by the user. */
type Listener = (ended?: string) => void

export type SessionStorage = Record<'getItem', (key: string) => string | null> &
  Record<'setItem', (key: string, value: string) => void> &
  Record<'removeItem', (key: string) => boolean>

const listeners = new Set<Listener>()
/** Where nothing can be stored, the session lasts as long as the page. */
let storage: SessionStorage = deviceStorage

/** For the packaged app, which has a more secure storage. Values in the former storage are not moved. */
export function setSessionStorage(other: SessionStorage) {
  storage = other
  announce()
}

export function readStoredSession(): StoredSession {
  return {
    accessToken: storage.getItem(keys.accessToken),
    refreshToken: storage.getItem(keys.refreshToken),
    expiresAt: Number(storage.getItem(keys.expiresAt)) || null,
    user: parseUser(storage.getItem(keys.user)),
  }
}

export function storeTokens(session: Pick<AuthSession, 'access_token' | 'refresh_token' | 'expires_at'>) {
  storage.setItem(keys.refreshToken, session.refresh_token)
  storage.setItem(keys.expiresAt, String(session.expires_at))
  storage.setItem(keys.accessToken, session.access_token)
  announce()
}

export function storeUser(user: User) {
  storage.setItem(keys.user, JSON.stringify(user))
  announce()
}

/**
 * The access token is removed first. Other tabs see the removals one by one and must never find a token without its
 * user. Throws if the device does not remove it: the session then stays, so that the user can try again.
 */
export function clearStoredSession(ended?: string) {
  const accessToken = storage.getItem(keys.accessToken)
  if (!storage.removeItem(keys.accessToken)) {
    if (accessToken !== null) storage.setItem(keys.accessToken, accessToken)
    throw new Error('The device did not remove the session')
  }
  storage.removeItem(keys.refreshToken)
  storage.removeItem(keys.expiresAt)
  storage.removeItem(keys.user)
  announce(ended)
}

/** Calls back after a change in this tab or in another. */
export function subscribeToStoredSession(listener: Listener): () => void {
  if (listeners.size === 0 && typeof window !== 'undefined') window.addEventListener('storage', handleStorage)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0 && typeof window !== 'undefined') window.removeEventListener('storage', handleStorage)
  }
}

function handleStorage(event: StorageEvent) {
  // A key of null means that the whole storage was cleared.
  if (event.key === null || (Object.values(keys) as string[]).includes(event.key)) announce()
}

function announce(ended?: string) {
  for (const listener of [...listeners]) listener(ended)
}

function parseUser(json: string | null): User | null {
  if (json === null) return null
  try {
    const user: unknown = JSON.parse(json)
    return typeof user === 'object' && user !== null && 'id' in user ? (user as User) : null
  } catch {
    return null
  }
}
