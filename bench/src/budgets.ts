import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { serverOptions } from '../../scripts/server-options.ts'
import { databaseFolderOf } from '../../server/src/platform/db/built-in-database/database-folder.ts'
import { freePort } from '../../server/test/free-port.ts'
import { childrenOf } from '../../server/test/processes.ts'
import { printTable } from './table.ts'

/**
 * `npm run bench:budgets [-- --tolerance 15 --rest 60]`: memory, start time, stop time and size of a server with its built-in
 * database, compared with their budgets. Exits with 1 if one is exceeded by more than `tolerance` percent. `--rest`: seconds
 * after the start until the memory at rest is read. Nothing else should run meanwhile. Linux only.
 */
const { values } = parseArgs({
  options: { tolerance: { type: 'string', default: '0' }, rest: { type: 'string', default: '60' } },
})
const tolerance = 1 + Number(values.tolerance) / 100
const restMs = Number(values.rest) * 1000
if (!(tolerance >= 1 && restMs >= 0)) throw new Error('--tolerance and --rest take numbers from 0.')

const root = fileURLToPath(new URL('../../', import.meta.url))
const main = join(root, 'server/src/main.ts')
const megabyte = 1_000_000
const sampleMs = 30

interface Budget {
  readonly name: string
  readonly value: number
  readonly limit: number
  readonly unit: 'MB' | 's'
}

interface Run {
  readonly readySeconds: number
  readonly peakMb: number
  readonly restMb: number
  readonly stopSeconds: number
}

const budgets: Budget[] = []
const folder = await mkdtemp(join(tmpdir(), 'hither-budgets-'))
// The database user of root passes through.
await chmod(folder, 0o711)
// A program of its own: PSS divides the pages of a program among all that run it, and this one runs Node too.
const node = join(folder, 'node')
await copyFile(process.execPath, node)
try {
  const dataDir = join(folder, 'data')
  const first = await measureRun(dataDir)
  budgets.push(
    { name: 'first start: seconds to the first 200 of /readyz', value: first.readySeconds, limit: 3, unit: 's' },
    { name: 'first start: highest PSS', value: first.peakMb, limit: 300, unit: 'MB' },
    { name: `PSS ${values.rest} s after the first start`, value: first.restMb, limit: 200, unit: 'MB' },
    { name: 'disk of an empty database', value: await bytesOf(databaseFolderOf(dataDir)), limit: 80, unit: 'MB' },
  )
  // Stores the compiled code that a later start uses.
  await measureRun(dataDir, 0)
  const later = await measureRun(dataDir)
  budgets.push(
    { name: 'later start: seconds to the first 200 of /readyz', value: later.readySeconds, limit: 2, unit: 's' },
    { name: 'later start: highest PSS', value: later.peakMb, limit: 300, unit: 'MB' },
    { name: `PSS ${values.rest} s after a later start`, value: later.restMb, limit: 200, unit: 'MB' },
    { name: 'stop without load', value: later.stopSeconds, limit: 2, unit: 's' },
  )
} finally {
  await rm(folder, { recursive: true, force: true })
}
budgets.push({
  name: 'PSS at rest: what the README says',
  value: Math.max(...budgets.filter(({ name }) => name.startsWith('PSS ')).map(({ value }) => value)),
  limit: await memoryOfReadme(),
  unit: 'MB',
})
const libraries = await libraryBytes()
budgets.push(
  { name: 'libraries of a production install', value: libraries, limit: 170, unit: 'MB' },
  { name: 'files in the image above the base image', value: libraries + (await imageBytes()), limit: 200, unit: 'MB' },
)

const isExceeded = ({ value, limit }: Budget) => value > limit * tolerance
printTable(`Budgets of a server with its built-in database, tolerance ${values.tolerance} %`, [
  ['', 'measured', 'budget', ''],
  ...budgets.map((budget) => {
    const digits = budget.unit === 's' ? 2 : 0
    const [measured, limit] = [`${budget.value.toFixed(digits)} ${budget.unit}`, `≤ ${budget.limit} ${budget.unit}`]
    return [budget.name, measured, limit, isExceeded(budget) ? 'EXCEEDED' : '']
  }),
])
process.exit(budgets.some(isExceeded) ? 1 : 0)

async function measureRun(dataDir: string, waitMs = restMs): Promise<Run> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn(node, [...serverOptions, main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      PORT: String(port),
      HOST: '127.0.0.1',
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      MALLOC_ARENA_MAX: '2',
    },
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const pid = child.pid ?? 0
  let peak = 0
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`)
    peak = Math.max(peak, await treeBytes(pid))
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) break
    await pause(sampleMs)
  }
  const readySeconds = (performance.now() - startedAt) / 1000
  peak = Math.max(peak, await treeBytes(pid))
  await pause(waitMs)
  const rest = await treeBytes(pid)
  const stoppedAt = performance.now()
  child.kill('SIGTERM')
  await ended
  const stopSeconds = (performance.now() - stoppedAt) / 1000
  return { readySeconds, peakMb: peak / megabyte, restMb: rest / megabyte, stopSeconds }
}

async function memoryOfReadme(): Promise<number> {
  const [, text] = /^\*\*(\d+) MB of memory ·/m.exec(await readFile(join(root, 'README.md'), 'utf8')) ?? []
  if (text === undefined) throw new Error('README.md does not say how much memory a server needs.')
  return Number(text)
}

/** `Pss` of a process and all that descend from it. */
async function treeBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const own = Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
  const children = await Promise.all((await childrenOf(pid)).map(treeBytes))
  return own + children.reduce((sum, bytes) => sum + bytes, 0)
}

/** In MB: the packages that `npm ci --omit=dev` installs for server and contract, as they are installed here. */
async function libraryBytes(): Promise<number> {
  const workspaces = ['--workspace', '@hither/server', '--workspace', '@hither/contract']
  const args = ['ls', '--all', '--parseable', '--omit=dev', ...workspaces]
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: 16 * megabyte })
  const packages = [...new Set(stdout.split('\n'))].filter((path) => path.includes('node_modules'))
  const sizes = await Promise.all(packages.map((path) => bytesOf(path, ['node_modules'])))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** In MB: what the image contains in addition to libraries. The web app counts if it is built, the packed database as in the image. */
async function imageBytes(): Promise<number> {
  const parts = ['web/dist', 'contract/src', 'server/src', 'server/assets', 'server/migrations', 'scripts']
  const sizes = await Promise.all(parts.map((part) => (existsSync(join(root, part)) ? bytesOf(join(root, part)) : 0)))
  const packedMb = 1.3
  return sizes.reduce((sum, size) => sum + size, packedMb)
}

/** In MB. Links are not followed; folders named in `without` do not count. */
async function bytesOf(path: string, without: readonly string[] = []): Promise<number> {
  let sum = 0
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const below = join(path, entry.name)
    if (entry.isDirectory()) sum += without.includes(entry.name) ? 0 : await bytesOf(below, without)
    else if (entry.isFile()) sum += (await lstat(below)).size / megabyte
  }
  return sum
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
