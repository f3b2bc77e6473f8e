import { Refusal } from './refusal.ts'

/** Lets so much work run at once, so much wait in order, and refuses the rest as `server_busy`. */
export interface Line {
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createLine({ atOnce, waiting: waitingMax }: { atOnce: number; waiting: number }): Line {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async run(work) {
      // Whoever finishes hands the place on, so that nobody who comes in between can take it from the first in line.
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
