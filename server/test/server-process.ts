import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

export interface Told {
  readonly status: number
  // Compared with expectations, not with the contract's types.
  readonly body: Record<string, unknown>
}

/** A server as an operator runs it. */
export interface ServerProcess {
  readonly url: string
  readonly child: ChildProcess
  /** All it has said so far, log and last words alike. */
  output(): string
  /** Its code, once it has ended. */
  readonly ended: Promise<number | null>
  call(method: string, path: string, body?: unknown, token?: string): Promise<Told>
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Resolves once it runs; throws with what it said where it does not. */
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
