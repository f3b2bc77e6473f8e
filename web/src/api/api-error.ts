import type { FieldError } from '@hither/contract/error-body.ts'
import type { RefusalCode } from '@hither/contract/refusals.ts'

/**
 * A call that failed. `status` is 0 if no response was received. `message` can be shown to the user. `code` is that of a refusal, or
 * null if the server sent none.
 */
export class ApiError extends Error {
  readonly status: number
  readonly fieldErrors: readonly FieldError[]
  readonly code: string | null

  constructor(
    status: number,
    message: string,
    { fieldErrors = [], code = null }: { fieldErrors?: readonly FieldError[]; code?: string | null } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.fieldErrors = fieldErrors
    this.code = code
  }
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
    error.status !== 501
  )
}

/**
 * Returns the error text for the user: the server's sentence about the user's own input, or `fallback` for other errors.
 * The transport leaves out the texts of errors of the server itself.
 */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback
}
