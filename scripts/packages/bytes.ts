import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { root, run } from '../run.ts'

const execute = promisify(execFile)

/** The time of all files, in seconds since 1970: `SOURCE_DATE_EPOCH`, or the time of the commit. */
export async function readSourceDate(): Promise<string> {
  const given = process.env['SOURCE_DATE_EPOCH']
  if (given !== undefined) return given
  return (await outputOf('git', ['log', '-1', '--format=%ct'], root)).trim()
}

/** Makes modes and times independent of the machine that builds. */
export async function settle(folder: string, sourceDate: string): Promise<void> {
  await mustRun('chmod', ['--recursive', 'u=rwX,go=rX', folder])
  await mustRun('find', [folder, '-exec', 'touch', '--no-dereference', `--date=@${sourceDate}`, '{}', '+'])
}

/** Writes a `tar.gz` of the folder `name` in `parent`, whose bytes depend on nothing but its files. */
export async function writeTarGz(file: string, parent: string, name: string, sourceDate: string): Promise<void> {
  await settle(parent, sourceDate)
  const order = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--format=gnu']
  const compressed = ['--use-compress-program', 'gzip --no-name']
  await mustRun('tar', ['--create', ...order, ...compressed, '--file', file, '--directory', parent, name])
}

export async function mustRun(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<void> {
  const code = await run(program, args, { env: { ...process.env, ...env } })
  if (code !== 0) throw new Error(`${program} ended with ${code}.`)
}

export async function outputOf(program: string, args: readonly string[], cwd: string): Promise<string> {
  return (await execute(program, args, { cwd, maxBuffer: 64_000_000 })).stdout
}
