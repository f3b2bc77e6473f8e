import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    cpu?: CpuTime
  }
}

/** Seconds of CPU time from the import of a test file to the end of its last hook. */
export interface CpuTime {
  /** Of the worker that ran the file. */
  readonly worker: number
  /** Of the processes that the worker started and that have ended. Zero where the system does not say it. */
  readonly processes: number
}

const atStart = cpuTime()

// Hooks run in reverse order, so this one is the last of its file.
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures the hook uses.
afterAll(({}, suite) => {
  const { worker, processes } = cpuTime()
  suite.file.meta.cpu = { worker: worker - atStart.worker, processes: processes - atStart.processes }
})

function cpuTime(): CpuTime {
  const { user, system } = process.cpuUsage()
  return { worker: (user + system) / 1e6, processes: secondsOfChildren() }
}

/** Fields 16 and 17 of `/proc/self/stat`, in ticks of a hundredth of a second. */
function secondsOfChildren(): number {
  if (process.platform !== 'linux') return 0
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) / 100
}
