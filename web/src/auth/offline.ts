import { ApiError, messageOf } from '../api/api-error.ts'

const offline = "You're offline. Connect to the internet to sign in."

/**
 * Like `messageOf`, for changes that need a network and are never queued. Also for errors of the device and of code that could
 * not be loaded.
 */
export function signInMessageOf(error: unknown, fallback: string): string {
  const isAnswer = error instanceof ApiError && error.status !== 0
  return !isAnswer && !navigator.onLine ? offline : messageOf(error, fallback)
}
