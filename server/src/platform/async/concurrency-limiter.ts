import { Refusal } from '../errors/refusal.ts'

/** Runs a limited number of tasks at once and queues a limited number of others in order. Refuses the rest as `server_busy`. */
export interface ConcurrencyLimiter {
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createConcurrencyLimiter({
  atOnce,
  waiting: waitingMax,
}: {
  atOnce: number
  waiting: number
}): ConcurrencyLimiter {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async run(work) {
      // A task that finishes passes its slot to the first in the queue, so that no newcomer can take it.
      if (running < atOnce) running++
      else if (waiting.length < waitingMax) await new Promise<void>((resolve) => waiting.push(resolve))
      else throw new Refusal('server_busy')
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
  }
}
