import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

export interface RedisServer {
  readonly url: string
  /** Kills the server. `start` starts an empty one at the same address. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** Whether redis-server is installed. Tests that need it are skipped without it (on Debian: apt-get install redis-server). */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

/** The number of databases of the server, numbered from 0. */
export const redisDatabases = 10_000

/** Starts a redis-server. `more` are additional command-line arguments. */
export async function openRedis(more: readonly string[] = []): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'hither-redis-'))
  const port = await freePort()
  let child = await run(port, folder, more)
  async function kill() {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    async start() {
      child = await run(port, folder, more)
    },
    async close() {
      if (child.exitCode === null && child.signalCode === null) await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function run(port: number, folder: string, more: readonly string[]) {
  const network = ['--port', String(port), '--bind', '127.0.0.1', '--databases', String(redisDatabases)]
  const flags = [...network, '--save', '', '--appendonly', 'no', '--dir', folder, ...more]
  const child = spawn('redis-server', flags, { stdio: ['ignore', 'pipe', 'ignore'] })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => String(text).includes('Ready to accept connections') && resolve())
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
  })
  return child
}
