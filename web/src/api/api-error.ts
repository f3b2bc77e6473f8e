import { type Fault } from '@hither/contract/refusals.ts'

/** A call that did not succeed. `status` is 0 where no answer came at all; `message` is fit to be shown. */
export class ApiError extends Error {
  readonly status: number
  readonly faults: readonly Fault[]

  constructor(status: number, message: string, faults: readonly Fault[] = []) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.faults = faults
  }
}

/** Whether the same call may succeed a moment later: no answer, or the server's own trouble. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.status === 0 || error.status === 429 || error.status >= 500) &&
    error.status !== 501
  )
}

/** What went wrong, in words for people: the server's sentence where there is one. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback
}
