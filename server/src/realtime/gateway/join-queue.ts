export const joinQueueLimits = {
  /** How many joins query the database at once; the others wait in a queue. */
  runningMax: 32,
  waitingMax: 5000,
  /** The limit for one user, so that no user fills the queue for the others. */
  runningPerUserMax: 4,
  waitingPerUserMax: 200,
  /** Less than the 10 s after which the official client gives up a join. */
  answerWithinMs: 8000,
} as const

/** The queue is full or slow: the client should try again later. */
export class Busy extends Error {
  override name = 'Busy'
}

/** Limits how many joins run at once, in total and for each user. Users with waiting joins take turns. */
export interface JoinQueue {
  /**
   * Runs the work of this user as soon as there is capacity. Rejects with `Busy` if the queue is full or the work takes
   * too long. Work that has started continues to its end.
   */
  run<T>(userId: string, work: () => Promise<T>): Promise<T>
}

interface UserQueue {
  running: number
  readonly waiting: (() => void)[]
}

export function createJoinQueue(
  limits: { readonly [K in keyof typeof joinQueueLimits]: number } = joinQueueLimits,
): JoinQueue {
  /** Of users with running or waiting joins. The one served last is at the end. */
  const queues = new Map<string, UserQueue>()
  let running = 0
  let waiting = 0

  return {
    run: (userId, work) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(userId) ?? { running: 0, waiting: [] }
        if (waiting >= limits.waitingMax || queue.waiting.length >= limits.waitingPerUserMax) {
          reject(new Busy())
          return
        }
        let isLate = false
        const timer = setTimeout(() => {
          isLate = true
          reject(new Busy())
        }, limits.answerWithinMs)
        queues.set(userId, queue)
        waiting++
        queue.waiting.push(() => {
          // It has already been rejected.
          if (isLate) {
            forgetIfIdle(userId, queue)
            return
          }
          running++
          queue.running++
          work()
            .then(resolve, reject)
            .finally(() => {
              clearTimeout(timer)
              running--
              queue.running--
              forgetIfIdle(userId, queue)
              next()
            })
        })
        next()
      }),
  }

  function next(): void {
    while (running < limits.runningMax) {
      const found = findNext()
      if (!found) return
      const [userId, queue] = found
      queues.delete(userId)
      queues.set(userId, queue)
      waiting--
      queue.waiting.shift()?.()
    }
  }

  function findNext(): [string, UserQueue] | null {
    for (const entry of queues) {
      const [, queue] = entry
      if (queue.waiting.length > 0 && queue.running < limits.runningPerUserMax) return entry
    }
    return null
  }

  function forgetIfIdle(userId: string, queue: UserQueue): void {
    if (queue.running === 0 && queue.waiting.length === 0) queues.delete(userId)
  }
}
