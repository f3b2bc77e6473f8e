import { deviceStorage } from '../device/storage.ts'

/** What this device needs to finish a sign-in that it has started with a provider. */
export interface SignInAttempt {
  /** 32 random bytes in base64url, which only this device knows. The server knows their hash. */
  verifier: string
  intent: 'sign_in' | 'link'
  /** The path to open afterwards. */
  return_to: string
  invitation?: string
  friend_code?: string
  /** In Unix milliseconds. */
  started_at: number
}

const key = 'sign_in_attempt'
/** The server accepts the return from the provider within this time. */
const validMs = 10 * 60_000

/** Throws if nothing can be stored: the page is left and could not finish the sign-in. */
export function storeSignInAttempt(attempt: SignInAttempt) {
  if (!deviceStorage.setItem(key, JSON.stringify(attempt))) throw new Error('The sign-in cannot be stored')
}

/** Returns null if this device has started none in the last ten minutes. Erases an older one. */
export function readSignInAttempt(): SignInAttempt | null {
  try {
    const attempt = JSON.parse(deviceStorage.getItem(key) ?? 'null') as SignInAttempt | null
    if (typeof attempt?.verifier !== 'string') return null
    if (Date.now() - attempt.started_at < validMs) return attempt
    clearSignInAttempt()
    return null
  } catch {
    return null
  }
}

export function clearSignInAttempt() {
  deviceStorage.removeItem(key)
}
