import { deviceStorage } from '../device/storage.ts'

const keys = { device: 'device_secret', signup: 'signup_secret' } as const

/** Returns 256 random bits in hexadecimal digits. */
export function newSecret(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Returns a random secret by which the server recognizes a device that has signed in before, also after sign-out.
 * Undefined if nothing can be stored.
 */
export function deviceSecret(): string | undefined {
  const stored = deviceStorage.getItem(keys.device)
  if (stored !== null) return stored
  const secret = newSecret()
  return deviceStorage.setItem(keys.device, secret) ? secret : undefined
}

/**
 * Returns the secret of the latest sign-up in this browser that awaits its email confirmation; undefined if there is
 * none.
 */
export function signupSecret(): string | undefined {
  return deviceStorage.getItem(keys.signup) ?? undefined
}

export function storeSignupSecret(secret: string) {
  deviceStorage.setItem(keys.signup, secret)
}

export function clearSignupSecret() {
  deviceStorage.removeItem(keys.signup)
}
