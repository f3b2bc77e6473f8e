import type { FieldError } from '@hither/contract/error-body.ts'
import type { RefusalCode } from '@hither/contract/refusals.ts'
import { t } from '../i18n/translate.ts'

/**
 * A call that failed. `status` is 0 if no response was received. `message` can be shown to the user. `code` is that of a refusal, or
 * null if the server sent none. `incident` is the id by which the administrator finds an error of the server in its log.
 */
export class ApiError extends Error {
  readonly status: number
  readonly fieldErrors: readonly FieldError[]
  readonly code: string | null
  readonly incident: string | null

  constructor(
    status: number,
    message: string,
    {
      fieldErrors = [],
      code = null,
      incident = null,
    }: { fieldErrors?: readonly FieldError[]; code?: string | null; incident?: string | null } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.fieldErrors = fieldErrors
    this.code = code
    this.incident = incident
  }
}

/** The error of a call that Hither did not respond to. */
export function unreachable(): ApiError {
  return new ApiError(0, t('errors.unreachable'))
}

/** Returns true if the server refused the call for this reason. */
export function isRefusal(error: unknown, code: RefusalCode): error is ApiError {
  return error instanceof ApiError && error.code === code
}

/** Returns true if no response was received, for example because the device is offline. */
export function hasNoResponse(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 0
}

/** Returns true if the same call may succeed later: no response, or an error of the server itself. */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.status === 0 || error.status === 429 || error.status >= 500) &&
    error.status !== 501 &&
    // The limit of a day: a message that waits for it would look as if it were on its way.
    error.code !== 'too_many_messages'
  )
}

/**
 * Returns the error text for the user: the server's sentence, or `fallback` for other errors and for those that the server did not
 * expect, with the id of the incident.
 */
export function messageOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback
  if (error.message !== '') return error.message
  return error.incident === null ? fallback : t('errors.incident', { text: fallback, id: error.incident })
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
