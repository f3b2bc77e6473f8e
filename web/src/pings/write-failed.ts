import { ApiError, messageOf } from '../api/api-error.ts'

/** Of what is not kept for later: the server's reason; where no answer came, what failed and why. */
export function writeFailed(error: unknown, what: string): string {
  return error instanceof ApiError && error.status === 0 ? `${what}. ${error.message}` : messageOf(error, what)
}
