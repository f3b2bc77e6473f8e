import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { freePort } from '../../server/test/free-port.ts'

/** A program under measurement. Linux only: its time and memory are read from the kernel's own books. */
export interface Measured {
  readonly url: string
  /** Processor time of all its threads so far, in microseconds. */
  cpuMicroseconds(): Promise<number>
  /** What of its memory is in use, in bytes. */
  residentBytes(): Promise<number>
  /** The same, with memory that is shared divided among its users, in bytes. */
  proportionalBytes(): Promise<number>
  /** The most of it that was in use so far, in bytes. */
  peakBytes(): Promise<number>
  /** Open files and sockets. */
  openHandles(): Promise<number>
  stop(): Promise<void>
}

/** Resolves when the program says `ready` in its output. */
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

/** proc_pid_stat(5): fields 14 and 15, in ticks of which there are a hundred a second. */
async function cpuOf({ pid }: ChildProcess): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

/** proc_pid_status(5), whose lines are in kB. */
async function memoryOf({ pid }: ChildProcess, line: 'VmRSS' | 'VmHWM'): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) * 1024
}

/** `Pss` of proc_pid_smaps_rollup(5), in kB. */
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
