import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { freePort } from '../../server/test/free-port.ts'

/** A measured program. Linux only, because its CPU time and memory are read from /proc. */
export interface Measured {
  readonly url: string
  /** The CPU time of all its threads so far, in microseconds. */
  cpuMicroseconds(): Promise<number>
  /** The resident set size, in bytes. */
  residentBytes(): Promise<number>
  /** The proportional set size, which divides shared memory among its users, in bytes. */
  proportionalBytes(): Promise<number>
  /** The peak resident set size, in bytes. */
  peakBytes(): Promise<number>
  /** The number of open files and sockets. */
  openHandles(): Promise<number>
  stop(): Promise<void>
}

/** Starts a program. Resolves when its output contains `ready`. */
export async function start(
  program: string,
  {
    ready,
    environment,
    nodeOptions = [],
    onOutput = () => {},
  }: {
    ready: string
    environment: Record<string, string>
    nodeOptions?: string[]
    onOutput?: (text: string) => void
  },
): Promise<Measured> {
  const port = await freePort()
  const child = spawn(process.execPath, [...nodeOptions, program], {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (data) => {
      const text = String(data)
      onOutput(text)
      if (text.includes(ready)) resolve()
    })
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    cpuMicroseconds: () => cpuOf(child),
    residentBytes: () => memoryOf(child, 'VmRSS'),
    proportionalBytes: () => proportionOf(child),
    peakBytes: () => memoryOf(child, 'VmHWM'),
    openHandles: async () => (await readdir(`/proc/${child.pid}/fd`)).length,
    async stop() {
      if (child.exitCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Reads fields 14 and 15 of proc_pid_stat(5), in ticks of 10 ms. */
async function cpuOf({ pid }: ChildProcess): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** Reads a line of proc_pid_status(5), which is in kB. */
async function memoryOf({ pid }: ChildProcess, line: 'VmRSS' | 'VmHWM'): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024
}

/** Reads `Pss` of proc_pid_smaps_rollup(5), which is in kB. */
async function proportionOf({ pid }: ChildProcess): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1]) * 1024
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = Number.NaN, high = Number.NaN] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  return (low + high) / 2
}
