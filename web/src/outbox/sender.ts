import { ApiError, isTransient } from '../api/api-error.ts'
import { untilOnline } from '../api/until-online.ts'
import { sharedLocks } from '../device/locks.ts'

/** The items that wait to be sent. They are stored in a place that outlives the page. */
interface Queue<Item extends { client_id: string }> {
  /** The name of the lock that allows one tab to send at a time. */
  lock: string
  /** Reads the items again, because another tab may have sent some of them. */
  reread: () => Promise<void> | void
  /** Calls back when an item may have been added. */
  subscribe: (listener: () => void) => () => void
  next: () => Item | undefined
  /**
   * Resolves once the item has left the queue. Must not change anything after `isStopped()` returns true. Throws the
   * server's error. The calls end with `signal`, which gives up an attempt from before the device was back online.
   */
  send: (item: Item, isStopped: () => boolean, signal: AbortSignal) => Promise<void>
  /** Whether an item is tried again however often the server fails. By default none is. */
  isLasting?: (item: Item) => boolean
  /** Called when a retry cannot help. `next` must not return the item any more. */
  refuse: (item: Item, error: unknown) => Promise<void> | void
}

export interface Sender {
  /** Retries at once, without waiting for the delay. The sender does so itself when the device is back online. */
  wake: () => void
  stop: () => void
}

const retryMs = { first: 1000, longest: 30_000 } as const
/** An item counts as refused after this number of server errors (5xx). */
const serverErrorsMax = 5

/** Sends the items of a queue one after the other, on every screen. */
export function startSender<Item extends { client_id: string }>(queue: Queue<Item>): Sender {
  let isStopped = false
  let isSending = false
  let isSignedOut = false
  let pauseMs: number = retryMs.first
  let timer: ReturnType<typeof setTimeout> | undefined
  const serverErrors = new Map<string, number>()

  const unsubscribe = queue.subscribe(() => {
    if (timer === undefined) void flush()
  })
  globalThis.window?.addEventListener('online', wake)
  void flush()

  async function flush() {
    clearTimeout(timer)
    timer = undefined
    if (isSending || isStopped) return
    isSending = true
    try {
      await withLock(queue.lock, sendAll)
    } finally {
      isSending = false
    }
    if (timer === undefined && !isStopped && !isSignedOut && queue.next() !== undefined) void flush()
  }

  async function sendAll() {
    // The tab that had the lock before may have sent some of the items.
    await queue.reread()
    for (let item = queue.next(); item !== undefined && !isStopped; item = queue.next()) {
      try {
        const current = item
        await untilOnline((signal) => queue.send(current, () => isStopped || signal.aborted, signal))
        pauseMs = retryMs.first
      } catch (error) {
        if (isStopped) return
        if (isSessionEnded(error)) {
          isSignedOut = true
          return
        }
        if (isTransient(error) && isWorthAnotherTry(item, error)) return pause()
        await queue.refuse(item, error)
      }
    }
  }

  function isWorthAnotherTry(item: Item, error: unknown): boolean {
    if (queue.isLasting?.(item)) return true
    const { client_id: clientId } = item
    const isServerError = error instanceof ApiError && error.status >= 500
    const count = (serverErrors.get(clientId) ?? 0) + (isServerError ? 1 : 0)
    serverErrors.set(clientId, count === serverErrorsMax ? 0 : count)
    return count < serverErrorsMax
  }

  function pause() {
    timer = setTimeout(() => void flush(), pauseMs)
    pauseMs = Math.min(pauseMs * 2, retryMs.longest)
  }

  function wake() {
    pauseMs = retryMs.first
    void flush()
  }

  return {
    wake,
    stop() {
      isStopped = true
      clearTimeout(timer)
      unsubscribe()
      globalThis.window?.removeEventListener('online', wake)
    },
  }
}

/**
 * Runs one `work` at a time, in the order of the calls, because two senders would break the order. Across tabs only in secure
 * contexts, which alone have the Web Locks API.
 */
export function withLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const locks = sharedLocks()
  if (locks !== null) return locks.request(lock, work) as Promise<T>
  const done = (lastOfPage.get(lock) ?? Promise.resolve()).then(work)
  lastOfPage.set(
    lock,
    done.catch(() => undefined),
  )
  return done
}

const lastOfPage = new Map<string, Promise<unknown>>()

/** The session has ended. The items stay stored until the user signs in again. */
function isSessionEnded(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}
