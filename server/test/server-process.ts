import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/**
 * Part of the environment of a server: it stores its compiled code in one folder for all tests, since a new data folder has
 * none. A test of the cache in the data folder sets `NODE_COMPILE_CACHE` to an empty string.
 */
export const compileCache = { NODE_COMPILE_CACHE: fileURLToPath(new URL('../../.tmp/compiled', import.meta.url)) }

export interface ServerReply {
  readonly status: number
  // Tests compare the body with expected values, so it does not have the types of the contract.
  readonly body: Record<string, unknown>
}

/** A server in its own process, as an operator runs it. */
export interface ServerProcess {
  readonly url: string
  readonly child: ChildProcess
  /** The complete output so far, both stdout and stderr. */
  output(): string
  /** Resolves with the exit code when the process has ended. */
  readonly ended: Promise<number | null>
  call(method: string, path: string, body?: unknown, token?: string): Promise<ServerReply>
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Resolves when the server is running. Throws with the output of the server if it ends before. */
export async function startProcess(
  environment: Record<string, string>,
  wrap: readonly string[] = [],
): Promise<ServerProcess> {
  const port = await freePort()
  const [program = '', ...args] = [...wrap, process.execPath, main]
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      LOG_LEVEL: 'warn',
      RATE_LIMITS: 'off',
      LOAD_SHEDDING: 'off',
      MAP_ONLINE: 'off',
      ...compileCache,
      ...environment,
    },
  })
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text) => {
        output += text
        if (output.includes('Hither is running')) resolve()
      })
    ended.then((code) => reject(new Error(`The server ended with ${code}: ${output}`)))
  })
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    child,
    ended,
    output: () => output,
    async call(method, path, body, token) {
      const isForm = body instanceof FormData
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') ?? false
      return { status: response.status, body: isJson ? JSON.parse(text) : { text } }
    },
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}
