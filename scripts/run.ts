import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The root folder of the repository, with a trailing slash. */
export const root = fileURLToPath(new URL('../', import.meta.url))

/** Starts a program in the repository. Its output goes to the terminal. */
export function start(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return spawn(command, args, { cwd: root, stdio: 'inherit', ...options })
}

/** Runs a program and returns its exit code. A program that is killed counts as failed. */
export function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = start(command, args, options)
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** After the end of a program, another one that it has started may still use its output. */
const outputTimeoutMs = 5000

/** Like `run`, but the program cannot read from the terminal, and its output goes to `output`. */
export function runInto(
  output: { write(text: string): void },
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
    const env = { ...(options.env ?? process.env), ...colors }
    const child = start(command, args, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => output.write(text))
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
    child.once('exit', (code) => setTimeout(() => resolve(code ?? 1), outputTimeoutMs).unref())
  })
}

/** The path of a program that a dependency provides. */
export function tool(name: string): string {
  return `${root}node_modules/.bin/${name}`
}

/** Forwards stop signals of this process to the child, and exits with the exit code of the child. */
export function follow(child: ChildProcess): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  child.once('exit', (code) => process.exit(code ?? 0))
}
