export const admissionLimits = {
  /** So many joins ask the database at once; the others wait in line. */
  runningMax: 32,
  waitingMax: 5000,
  /** The official client gives a join up after 10 s: by then it has been answered. */
  answerWithinMs: 8000,
} as const

/** There is too much to do: to be asked again later. */
export class Busy extends Error {
  override name = 'Busy'
}

/** The door: lets joins in one after another, so that a crowd of them cannot hold up everything else. */
export interface Admission {
  /** Rejects with `Busy` where the line is too long, or took too long. What is late anyway still runs to its end. */
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createAdmission(
  limits: { readonly [K in keyof typeof admissionLimits]: number } = admissionLimits,
): Admission {
  const waiting: (() => void)[] = []
  let running = 0

  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= limits.waitingMax) {
          reject(new Busy())
          return
        }
        let isLate = false
        const timer = setTimeout(() => {
          isLate = true
          reject(new Busy())
        }, limits.answerWithinMs)
        waiting.push(() => {
          // Whoever has been sent away already has nothing to do here.
          if (isLate) {
            next()
            return
          }
          running++
          work()
            .then(resolve, reject)
            .finally(() => {
              clearTimeout(timer)
              running--
              next()
            })
        })
        next()
      }),
  }

  function next(): void {
    if (running < limits.runningMax) waiting.shift()?.()
  }
}
