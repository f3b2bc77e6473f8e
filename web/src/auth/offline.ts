import { ApiError, messageOf } from '../api/api-error.ts'
import { t } from '../i18n/translate.ts'

/**
 * Like `messageOf`, for changes that need a network and are never queued. Also for errors of the device and of code that could
 * not be loaded.
 */
export function signInMessageOf(error: unknown, fallback: string): string {
  const isAnswer = error instanceof ApiError && error.status !== 0
  return !isAnswer && !navigator.onLine ? t('auth.offline') : messageOf(error, fallback)
}
