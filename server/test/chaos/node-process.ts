import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../server-process.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const startWithinMs = 60_000
const stopWithinMs = 30_000

/** One node of the service in its own process, as an operator runs it. It keeps its port when it restarts. */
export interface NodeProcess {
  /** `node 1` or `node 2`. */
  readonly name: string
  readonly port: number
  readonly origin: string
  readonly isRunning: boolean
  /** Resolves when the node accepts calls. Rejects if the process ends before. */
  start(): Promise<void>
  kill(): Promise<void>
  /** Sends SIGTERM and waits until the process has ended. An exit code other than 0 is a fault. */
  stop(): Promise<void>
}

/** Calls `onFault` with a sentence if the process ends unexpectedly or logs an unexpected error. */
export function createNodeProcess(
  { name, port, environment }: { name: string; port: number; environment: Record<string, string> },
  onFault: (sentence: string) => void,
): NodeProcess {
  let child: ChildProcess | null = null
  let isEndWanted = false
  let ended: Promise<number | null> = Promise.resolve(null)

  function readLine(line: string): void {
    if (/unexpected error|unhandled|uncaught/i.test(line)) onFault(`${name} wrote to its log: ${line.slice(0, 2000)}`)
  }

  async function start(): Promise<void> {
    isEndWanted = false
    let output = ''
    const started = spawn(process.execPath, [main], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], PORT: String(port), HOST: '127.0.0.1', ...compileCache, ...environment },
    })
    child = started
    ended = new Promise((resolve) => started.once('close', resolve))
    void ended.then((code) => {
      child = null
      if (!isEndWanted) onFault(`${name} ended by itself with ${code ?? started.signalCode}: ${output.slice(-2000)}`)
    })
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${name} did not start within 60 s: ${output}`)), startWithinMs)
      for (const stream of [started.stdout, started.stderr]) {
        let rest = ''
        stream?.on('data', (text) => {
          output = `${output}${text}`.slice(-20_000)
          const lines = `${rest}${text}`.split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) readLine(line)
          if (output.includes('Hither is running')) resolve()
        })
      }
      void ended.then(() => reject(new Error(`${name} ended while it started: ${output}`)))
      void ended.finally(() => clearTimeout(timer))
    })
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (!child) return null
    isEndWanted = true
    child.kill(signal)
    return ended
  }

  return {
    name,
    port,
    origin: `http://127.0.0.1:${port}`,
    get isRunning() {
      return child !== null && !isEndWanted
    },
    start,
    async kill() {
      await end('SIGKILL')
    },
    async stop() {
      const late = setTimeout(() => {
        onFault(`${name} did not stop within 30 s of SIGTERM`)
        child?.kill('SIGKILL')
      }, stopWithinMs)
      const code = await end('SIGTERM')
      clearTimeout(late)
      if (code !== 0) onFault(`${name} was stopped with SIGTERM and ended with ${code}`)
    },
  }
}
