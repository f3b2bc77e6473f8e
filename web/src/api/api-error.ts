import type { FieldError } from '@hither/contract/error-body.ts'

/** A call that failed. `status` is 0 if no response was received. `message` can be shown to the user. */
export class ApiError extends Error {
  readonly status: number
  readonly fieldErrors: readonly FieldError[]

  constructor(status: number, message: string, fieldErrors: readonly FieldError[] = []) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.fieldErrors = fieldErrors
  }
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
