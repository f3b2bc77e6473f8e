import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyDataFolder } from '../server/test/data-folder.ts'
import { freePort } from '../server/test/free-port.ts'

export interface OwnServer {
  readonly base: string
  /** The data folder of the server. */
  readonly folder: string
  /** The code with which a user becomes the first admin. */
  readonly adminCode: string
  /** Kills the server and restarts it at the same address. Resolves when it accepts requests. */
  restart(): Promise<void>
  stop(): Promise<void>
}

const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))

/**
 * Starts a separate server for tests that need other settings than those of the shared one. `stop` deletes its data folder. With
 * the host `localhost` it offers passkeys.
 */
export async function startOwnServer(
  settings: Record<string, string>,
  host: '127.0.0.1' | 'localhost' = '127.0.0.1',
): Promise<OwnServer> {
  const template = process.env['E2E_TEMPLATE']
  if (!template) throw new Error('E2E_TEMPLATE is not set: own servers need the global setup of the suite')
  const folder = await mkdtemp(join(tmpdir(), 'hither-own-'))
  await copyDataFolder(template, folder)
  const port = await freePort()
  const base = `http://${host}:${port}`
  const environment = { PUBLIC_URL: base, ...settings }
  let greeting = ''
  let child = await runServer(folder, port, environment, (text) => {
    greeting += text
  })
  return {
    base,
    folder,
    adminCode: /admin#code=(\S+)/.exec(greeting)?.[1] ?? '',
    async restart() {
      await killServer(child)
      child = await runServer(folder, port, environment)
    },
    async stop() {
      await stopServer(child)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Resolves when the server accepts requests. */
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
      // Tests must not depend on external services.
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

/** Stops the server and its database. */
function stopServer(child: ChildProcess): Promise<void> {
  return end(child, 'SIGTERM')
}

/** Kills the server without a shutdown. Its database keeps running until the next start on the same folder. */
function killServer(child: ChildProcess): Promise<void> {
  return end(child, 'SIGKILL')
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
}
