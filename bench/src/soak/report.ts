export interface Report {
  answered(name: string, status: number, ms: number): void
  /** Records a violation, which fails the run. The first few of each kind are printed. */
  violation(kind: string, text: string): void
  count(what: string, by?: number): void
  counted(what: string): number
  violations(): ReadonlyMap<string, readonly string[]>
  /** The number of calls. `latency` is a quantile of their durations, in milliseconds. */
  calls(): number
  latency(quantile: number): number
  /** The number of responses by call and status. */
  answers(): ReadonlyMap<string, number>
}

const shownMax = 5

export function createReport(): Report {
  const answers = new Map<string, number>()
  const counts = new Map<string, number>()
  const violations = new Map<string, string[]>()
  // A histogram with steps of about 20 percent, so that long runs need constant memory.
  const times: number[] = []
  let calls = 0
  return {
    answered(name, status, ms) {
      const key = `${name} ${status}`
      answers.set(key, (answers.get(key) ?? 0) + 1)
      const step = Math.max(0, Math.round(Math.log(Math.max(ms, 0.1)) / Math.log(1.2)) + 13)
      times[step] = (times[step] ?? 0) + 1
      calls++
    },
    violation(kind, text) {
      const known = violations.get(kind) ?? []
      violations.set(kind, [...known, text])
      if (known.length < shownMax) process.stdout.write(`VIOLATION ${new Date().toISOString()} ${kind}: ${text}\n`)
    },
    count(what, by = 1) {
      counts.set(what, (counts.get(what) ?? 0) + by)
    },
    counted: (what) => counts.get(what) ?? 0,
    violations: () => violations,
    calls: () => calls,
    latency(quantile) {
      let left = calls * quantile
      for (const [step, count = 0] of times.entries()) {
        left -= count
        if (left <= 0) return 1.2 ** (step - 13)
      }
      return Number.NaN
    },
    answers: () => answers,
  }
}

export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return `${rows.map(line).join('\n')}\n`
}
