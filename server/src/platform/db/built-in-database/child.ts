import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { FastifyBaseLogger } from 'fastify'
import { type DatabaseUser, identityOf } from './database-user.ts'
import type { Programs } from './programs.ts'
import { type Endpoint, environmentOf, settingsFor } from './settings.ts'

interface ChildOptions {
  readonly programs: Programs
  readonly folder: string
  readonly user: DatabaseUser | null
  readonly endpoint: Endpoint
  readonly isDurable: boolean
  readonly log: FastifyBaseLogger
}

/** The database server as a child process. */
export interface Child {
  readonly pid: number
  /** Resolves when it accepts connections. Rejects with `ChildEnded` if it ends before, or with a system error. */
  readonly ready: Promise<void>
  /** Resolves when it has ended, with the last line of its log that names a cause. Never rejects. */
  readonly ended: Promise<string>
  /** Requests a fast shutdown, and after `fastMs` an immediate one. Resolves when it has ended. */
  stop(): Promise<void>
}

/** The child ended before it accepted connections. */
export class ChildEnded extends Error {
  override name = 'ChildEnded'
  /** The last lines of its log. */
  readonly lines: readonly string[]
  constructor(reason: string, lines: readonly string[]) {
    super(reason)
    this.lines = lines
  }
}

const fastMs = 10_000
const linesMax = 50

/** Starts PostgreSQL in a separate process group, so that Ctrl+C in a terminal reaches only the server. */
export function startChild({ programs, folder, user, endpoint, isDurable, log }: ChildOptions): Child {
  const process_ = spawn(programs.postgres, ['-D', folder, ...settingsFor(endpoint, isDurable)], {
    ...identityOf(user),
    cwd: process.platform === 'win32' ? folder : '/',
    env: environmentOf(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  const lines: string[] = []
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
  ready.catch(() => undefined)
  createInterface({ input: process_.stderr as NonNullable<ChildProcess['stderr']> }).on('line', (line) => {
    lines.push(line)
    if (lines.length > linesMax) lines.shift()
    writeLog(log, line)
    if (line.includes('database system is ready to accept connections')) resolve()
  })
  const ended = new Promise<string>((settle) => {
    process_.once('error', (error) => {
      reject(error)
      settle(error.message)
    })
    // `close` is emitted after the last line.
    process_.once('close', (code, signal) => {
      const reason = causeIn(lines) ?? (signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`)
      reject(new ChildEnded(reason, lines))
      settle(reason)
    })
  })
  return {
    pid: process_.pid ?? 0,
    ready,
    ended,
    async stop() {
      const kill = (mode: 'fast' | 'immediate') => {
        if (process.platform !== 'win32') process_.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
        else execFile(programs.pgCtl, ['stop', '-D', folder, '-m', mode, '--no-wait'], () => undefined)
      }
      kill('fast')
      const timer = setTimeout(() => kill('immediate'), fastMs)
      await ended
      clearTimeout(timer)
    },
  }
}

/** The last line that names a cause, without its severity. */
function causeIn(lines: readonly string[]): string | null {
  const line =
    lines.findLast((text) => /^(?:PANIC|FATAL|postgres):/.test(text)) ??
    lines.findLast((text) => / error | fail/i.test(text))
  return line?.replace(/^\w+:\s*/, '') ?? null
}

function writeLog(log: FastifyBaseLogger, line: string): void {
  const [, severity = '', text = line] = /^([A-Z]+):\s+(.*)$/.exec(line) ?? []
  if (severity === 'PANIC') log.fatal({ part: 'database' }, text)
  // A client that is refused while the database starts or stops is no error.
  else if (severity === 'FATAL' && !/the database system is|administrator command/.test(text))
    log.error({ part: 'database' }, text)
  else log.debug({ part: 'database' }, text)
}
