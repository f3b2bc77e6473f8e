import { ApiError, isPassing } from '../api/api-error.ts'

/** What waits to be sent, as its sender sees it. Its items are kept somewhere that outlives the page. */
export interface Queue<Item extends { client_id: string }> {
  /** Names what only one tab does at a time. */
  lock: string
  /** Another tab may have sent some of it. */
  reread: () => Promise<void> | void
  /** Calls back when something may have come to wait. */
  subscribe: (listener: () => void) => () => void
  next: () => Item | undefined
  /** Resolves once the item is out of the queue. Changes nothing more once `isStopped()`. Throws what the server says. */
  send: (item: Item, isStopped: () => boolean) => Promise<void>
  /** Nothing more is to be hoped for by asking again. The item no longer comes `next`. */
  refuse: (item: Item, error: unknown) => Promise<void> | void
}

export interface Sender {
  /** Tries at once what would be tried later. */
  wake: () => void
  stop: () => void
}

const retryMs = { first: 1000, longest: 30_000 } as const
/** A server that answers, and answers with its own trouble, is asked so often before the item counts as refused. */
const troublesMax = 5

/** Sends what waits, one after the other, whatever the screen. */
export function startSender<Item extends { client_id: string }>(queue: Queue<Item>): Sender {
  let isStopped = false
  let isSending = false
  let isOver = false
  let pauseMs: number = retryMs.first
  let timer: ReturnType<typeof setTimeout> | undefined
  const troubles = new Map<string, number>()

  const unsubscribe = queue.subscribe(() => {
    if (timer === undefined) void flush()
  })
  void flush()

  async function flush() {
    clearTimeout(timer)
    timer = undefined
    if (isSending || isStopped) return
    isSending = true
    try {
      await alone(queue.lock, sendAll)
    } finally {
      isSending = false
    }
    if (timer === undefined && !isStopped && !isOver && queue.next() !== undefined) void flush()
  }

  async function sendAll() {
    // A tab that had the turn before may have sent some of it.
    await queue.reread()
    for (let item = queue.next(); item !== undefined && !isStopped; item = queue.next()) {
      try {
        await queue.send(item, () => isStopped)
        pauseMs = retryMs.first
      } catch (error) {
        if (isStopped) return
        if (isEnded(error)) {
          isOver = true
          return
        }
        if (isPassing(error) && isWorthAnotherTry(item.client_id, error)) return pause()
        await queue.refuse(item, error)
      }
    }
  }

  function isWorthAnotherTry(clientId: string, error: unknown): boolean {
    const isTrouble = error instanceof ApiError && error.status >= 500
    const count = (troubles.get(clientId) ?? 0) + (isTrouble ? 1 : 0)
    troubles.set(clientId, count === troublesMax ? 0 : count)
    return count < troublesMax
  }

  function pause() {
    timer = setTimeout(() => void flush(), pauseMs)
    pauseMs = Math.min(pauseMs * 2, retryMs.longest)
  }

  return {
    wake() {
      pauseMs = retryMs.first
      void flush()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      unsubscribe()
    },
  }
}

/** One tab at a time, or two would send out of order. Locks exist in secure contexts only. */
export function alone<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks
  return locks === undefined ? work() : (locks.request(lock, work) as Promise<T>)
}

/** The session is over; what waits is kept for when this person is back. */
function isEnded(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}
