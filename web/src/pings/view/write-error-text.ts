import { hasNoResponse, messageOf } from '../../api/api-error.ts'

/**
 * Returns the error text of a write without an outbox: the server's reason, or what failed and why if there was no
 * response.
 */
export function writeErrorText(error: unknown, what: string): string {
  return hasNoResponse(error) ? `${what}. ${error.message}` : messageOf(error, what)
}
