import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyDataFolder } from '../server/test/data-folder.ts'
import { freePort } from '../server/test/free-port.ts'

export interface OwnServer {
  readonly base: string
  /** Its data folder. */
  readonly folder: string
  /** Makes whoever enters it the admin. */
  readonly adminCode: string
  /** Kills it, as a power cut would, and starts it again at the same address; resolves when it answers. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))

/** A server of a test's own, for what the shared one is not set up for, with a folder that goes when it stops. */
export async function startOwnServer(settings: Record<string, string>): Promise<OwnServer> {
  const folder = await mkdtemp(join(tmpdir(), 'hither-own-'))
  await copyDataFolder(process.env['E2E_TEMPLATE'] ?? '', folder)
  const port = await freePort()
  let greeting = ''
  let child = await runServer(folder, port, settings, (text) => {
    greeting += text
  })
  return {
    base: `http://127.0.0.1:${port}`,
    folder,
    adminCode: /enter (\S+)/.exec(greeting)?.[1] ?? '',
    async restart() {
      await killServer(child)
      child = await runServer(folder, port, settings)
    },
    async stop() {
      await stopServer(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Resolves when it answers. */
async function runServer(
  folder: string,
  port: number,
  settings: Record<string, string>,
  onOutput: (text: string) => void = () => undefined,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: folder,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      // No test depends on what is elsewhere.
      MAP_ONLINE: 'off',
      LOG_LEVEL: 'warn',
      RATE_LIMITS: 'off',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text) => {
      onOutput(String(text))
      if (String(text).includes('Hither is running')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)))
  })
  return child
}

/** Ends the server with its database. */
export function stopServer(child: ChildProcess): Promise<void> {
  return end(child, 'SIGTERM')
}

/** Ends the server as a crash would. Its database runs on until the next start in the same folder. */
export function killServer(child: ChildProcess): Promise<void> {
  return end(child, 'SIGKILL')
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
}
