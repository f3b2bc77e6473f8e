/** The output of one program. */
export interface Output {
  write(text: string): void
  /** Call this once, after the last `write`. */
  end(): void
}

/**
 * Prints the outputs of programs that run at the same time one after the other, in the order of their creation, so that no two
 * are mixed. Text waits in memory until all earlier outputs have ended; the program itself never waits.
 */
export function createOrderedOutput(print: (text: string) => void): { open(): Output } {
  const queue: { waiting: string[]; isEnded: boolean }[] = []

  function printWaiting() {
    for (;;) {
      const [current] = queue
      if (current === undefined) return
      for (const text of current.waiting.splice(0)) print(text)
      if (!current.isEnded) return
      queue.shift()
    }
  }

  return {
    open() {
      const entry = { waiting: [] as string[], isEnded: false }
      queue.push(entry)
      return {
        write(text) {
          entry.waiting.push(text)
          printWaiting()
        },
        end() {
          entry.isEnded = true
          printWaiting()
        },
      }
    },
  }
}
