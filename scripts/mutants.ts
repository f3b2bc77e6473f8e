import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { createRandom } from '../server/test/chaos/random.ts'
import { readModules } from './checks/module-imports.ts'
import { type Mutant, mutantsOf, pickMutants } from './mutants/mutations.ts'
import type { Reply, Request } from './mutants/runner.ts'
import { root, tool } from './run.ts'

/**
 * `npm run mutants -- --seed 1 --count 60` breaks 60 lines of the server and of the web app, one at a time and in a copy of the
 * repository, and runs the tests near each line. The same seed breaks the same lines of the same code. A mutant that no test
 * notices survives: either a test is missing, or the change has no effect. Browser tests do not run. A module that no other
 * test loads, such as a component, is theirs alone, and its mutants are listed apart. `--minutes` limits the run for each
 * mutant, `--only web/` leaves out other paths.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '60' },
    minutes: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
  },
})
const copy = `${root}.tmp/mutants/`
const timeLimitMs = Number(values.minutes) * 60_000
const suites = ['server', 'web'] as const
type Suite = (typeof suites)[number]
/** Each Vitest runs in a process group of its own, which can be killed if a worker never ends. */
const runners = new Map<Suite, ChildProcess>()

await createCopy()
const counts = { caught: 0, survived: 0, 'for browser tests': 0, 'out of time': 0, unclear: 0 }
const notCaught: string[] = []
for (const [index, mutant] of listMutants().entries()) {
  if (!mutant.path.startsWith(values.only)) continue
  const startedAt = Date.now()
  const { outcome, by } = await judge(mutant)
  counts[outcome]++
  const { path, line, kind, before, after } = mutant
  const text = `${path}:${line} ${kind}: ${shortened(before)} → ${shortened(after)}`
  if (outcome !== 'caught') notCaught.push(`${outcome}: ${text}`)
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  process.stdout.write(`${index + 1}. ${outcome} in ${seconds} s: ${text}${by === '' ? '' : `\n   by ${by}`}\n`)
}
const sums = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`)
process.stdout.write(`\n${sums.join(', ')}\n`)
for (const text of notCaught) process.stdout.write(`${text}\n`)
for (const runner of runners.values()) {
  runner.disconnect()
  await once(runner, 'exit')
}
await rm(copy, { recursive: true, force: true })

/** Half of them in the server and half in the web app, in turns. */
function listMutants(): Mutant[] {
  const random = createRandom(Number(values.seed))
  const half = Math.ceil(Number(values.count) / 2)
  const lists = suites.map((suite, index) => {
    const modules = readModules(`${copy}${suite}/src`)
      .filter(({ path }) => !/\.test\.tsx?$|harness|\.setup\.ts$|\.d\.ts$/.test(path))
      .map(({ path, text }) => ({ path: `${suite}/src/${path}`, text }))
    return pickMutants(modules.flatMap(mutantsOf), half, random.fork(index))
  })
  return Array.from({ length: half }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1)))
    .flat()
    .slice(0, Number(values.count))
}

function shortened(code: string): string {
  const text = code.replace(/\s+/g, ' ')
  return text.length > 90 ? `${text.slice(0, 90)}…` : text
}

async function judge({ path, text }: Mutant): Promise<{ outcome: keyof typeof counts; by: string }> {
  const file = copy + path
  const suite = path.startsWith('web/') ? 'web' : 'server'
  const original = await readFile(file, 'utf8')
  await writeFile(file, text)
  const timeout = AbortSignal.timeout(timeLimitMs)
  try {
    let tested = 0
    for (const patterns of stagesOf(path)) {
      const { files, failed } = await ask(suite, { changed: file, patterns }, timeout)
      tested += files
      if (failed === null) continue
      const by = `${failed.file.replace(copy, '')}: ${failed.name}`
      await writeFile(file, original)
      const again = await ask(suite, { changed: file, patterns: [failed.file] }, timeout)
      return again.failed === null ? { outcome: 'caught', by } : { outcome: 'unclear', by: `${by}, which fails anyway` }
    }
    const types = ['--noEmit', '--incremental', '--tsBuildInfoFile', `${copy}types-${suite}`, '-p', copy + suite]
    const hasTypes = await promisify(execFile)(tool('tsc'), types).then(
      () => true,
      () => false,
    )
    if (!hasTypes) return { outcome: 'caught', by: 'the types' }
    return { outcome: tested > 0 ? 'survived' : 'for browser tests', by: '' }
  } catch (error) {
    if (!timeout.aborted) throw error
    return { outcome: 'out of time', by: '' }
  } finally {
    await writeFile(file, original)
  }
}

/** On the server the tests beside the file first, then those of its feature: nearly all others load the whole server. */
function stagesOf(path: string): Request['patterns'][] {
  const [suite, source, feature] = path.split('/')
  if (suite === 'web') return [null]
  const [near, wider] = [`/${dirname(path)}/`, `/${suite}/${source}/${feature}/`]
  return [[near], ...(near === wider ? [] : [[wider]]), null]
}

async function ask(suite: Suite, request: Request, signal: AbortSignal): Promise<Reply> {
  const runner = runners.get(suite) ?? (await startRunner(suite))
  runner.send(request)
  try {
    const [reply] = await once(runner, 'message', { signal })
    return reply as Reply
  } catch (error) {
    runners.delete(suite)
    if (runner.pid !== undefined) process.kill(-runner.pid, 'SIGKILL')
    throw error
  }
}

async function startRunner(suite: Suite): Promise<ChildProcess> {
  const project = suite === 'server' ? ['one node'] : []
  const runner = fork(`${root}scripts/mutants/runner.ts`, [copy + suite, ...project], { cwd: copy, detached: true })
  runners.set(suite, runner)
  await once(runner, 'message')
  return runner
}

/**
 * Copies all files that git knows or would add. Node finds the packages in the repository around the copy, and those of the
 * workspaces in the copy itself.
 */
async function createCopy(): Promise<void> {
  await rm(copy, { recursive: true, force: true })
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await promisify(execFile)('git', list, { cwd: root, maxBuffer: 2 ** 26 })
  const { workspaces } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as { workspaces: string[] }
  for (const file of stdout.split('\0').filter((name) => name !== ''))
    await cp(root + file, copy + file, { recursive: true }).catch(ignoreMissing)
  await cp(`${root}web/dist`, `${copy}web/dist`, { recursive: true }).catch(ignoreMissing)
  await mkdir(`${copy}node_modules/@hither`, { recursive: true })
  for (const name of workspaces) await symlink(join('../..', name), `${copy}node_modules/@hither/${name}`)
}

/** A file that is deleted and not committed yet, or an app that is not built. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
