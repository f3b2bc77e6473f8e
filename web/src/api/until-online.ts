import { unreachable } from './api-error.ts'

/**
 * Runs an attempt that can be repeated. When the device is back online, it counts as one without response, because its connection
 * may be gone: its signal is aborted, as by `outer`, and the promise rejects.
 */
export async function untilOnline<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal | null,
): Promise<T> {
  const controller = new AbortController()
  const abort = () => controller.abort(outer?.reason)
  if (outer?.aborted) abort()
  outer?.addEventListener('abort', abort)
  let handleOnline = abort
  const online = new Promise<never>((_resolve, reject) => {
    handleOnline = () => {
      reject(unreachable())
      controller.abort()
    }
  })
  globalThis.window?.addEventListener('online', handleOnline)
  try {
    return await Promise.race([attempt(controller.signal), online])
  } finally {
    globalThis.window?.removeEventListener('online', handleOnline)
    outer?.removeEventListener('abort', abort)
  }
}
