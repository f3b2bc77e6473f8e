import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The repository's folder, with a slash at its end. */
export const root = fileURLToPath(new URL('../', import.meta.url))

/** Starts a program of the repository with its output shown here. */
export function start(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return spawn(command, args, { cwd: root, stdio: 'inherit', ...options })
}

/** Runs a program to its end and answers its exit code; one that was killed counts as failed. */
export function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = start(command, args, options)
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** A program that a dependency installed. */
export function tool(name: string): string {
  return `${root}node_modules/.bin/${name}`
}

/** Hands this process's stop signals on to the child and ends as it ends. */
export function follow(child: ChildProcess): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  child.once('exit', (code) => process.exit(code ?? 0))
}
