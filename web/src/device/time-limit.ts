/** Without a response within this time, in milliseconds, there is none. For files it is the time without progress. */
export const responseWithinMs = 25_000

interface TimeLimit {
  /** Aborted at the end of the time, or with the signal that was given. */
  readonly signal: AbortSignal
  /** Begins the time again, because there was progress. */
  restart: () => void
  /** Must be called when the work is done. */
  end: () => void
}

/** Limits the time of a piece of work, in milliseconds. Older browsers lack `AbortSignal.any` and `AbortSignal.timeout`. */
export function limitTime(ms: number, signal?: AbortSignal | null): TimeLimit {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  const begin = () => setTimeout(() => controller.abort(new DOMException('No response in time', 'TimeoutError')), ms)
  let timer = begin()
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    restart() {
      clearTimeout(timer)
      timer = begin()
    },
    end() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    },
  }
}
