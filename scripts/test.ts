import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { chromiumPath } from '../e2e/chromium.ts'
import { root, run, tool } from './run.ts'
import { buildWebIfStale } from './web-build.ts'

/**
 * `npm test`: checks, then every suite, then one line with the sum. A suite whose program is missing says so and is passed
 * over; in CI that is a failure, and so is a single skipped test.
 */
interface Suite {
  readonly name: string
  readonly report: string
  run(report: string): Promise<number>
  /** Why it cannot run here, or `null`. */
  missing(): string | null
}

interface Count {
  passed: number
  failed: number
  skipped: number
}

const inCi = process.env['CI'] === 'true'
const reports = `${root}.tmp/reports/`

const suites: readonly Suite[] = [
  vitest('server', `${root}server`),
  vitest('web', `${root}web`),
  vitest('mobile', `${root}mobile`),
  {
    name: 'e2e',
    report: 'e2e.json',
    missing: () => (chromiumPath() === null ? 'Chromium is not installed (on Debian: apt-get install chromium)' : null),
    run: (report) =>
      run(tool('playwright'), ['test', '--reporter', 'list,json'], {
        cwd: `${root}e2e`,
        env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      }),
  },
]

function vitest(name: string, folder: string): Suite {
  return {
    name,
    report: `${name}.json`,
    missing: () => null,
    run: (report) =>
      run(tool('vitest'), [
        'run',
        '--root',
        folder,
        '--reporter',
        'default',
        '--reporter',
        'json',
        '--outputFile.json',
        report,
      ]),
  }
}

await rm(reports, { recursive: true, force: true })
await mkdir(reports, { recursive: true })
const total: Count = { passed: 0, failed: 0, skipped: 0 }
let broken = (await run('npm', ['run', '--silent', 'check'])) !== 0
if (broken) say('The checks failed (npm run check).')
await buildWebIfStale()

for (const suite of suites) {
  const missing = suite.missing()
  if (missing !== null) {
    say(`The ${suite.name} suite is passed over: ${missing}.`)
    broken ||= inCi
    continue
  }
  say(`The ${suite.name} suite`)
  const report = reports + suite.report
  broken = (await suite.run(report)) !== 0 || broken
  const count = await countOf(report)
  total.passed += count.passed
  total.failed += count.failed
  total.skipped += count.skipped
}

if (inCi && total.skipped > 0) say('A skipped test is a failure in CI.')
broken ||= total.failed > 0 || total.passed === 0 || (inCi && total.skipped > 0)
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`)
process.exit(broken ? 1 : 0)

function say(sentence: string) {
  process.stdout.write(`\n— ${sentence}\n`)
}

/** Reads the JSON report of Vitest or of Playwright; a suite that wrote none counts as one failure. */
async function countOf(report: string): Promise<Count> {
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 }
  const json = JSON.parse(await readFile(report, 'utf8')) as {
    numPassedTests?: number
    numFailedTests?: number
    numPendingTests?: number
    numTodoTests?: number
    stats?: { expected: number; unexpected: number; flaky: number; skipped: number }
  }
  if (json.stats) {
    const { expected, unexpected, flaky, skipped } = json.stats
    return { passed: expected + flaky, failed: unexpected, skipped }
  }
  return {
    passed: json.numPassedTests ?? 0,
    failed: json.numFailedTests ?? 0,
    skipped: (json.numPendingTests ?? 0) + (json.numTodoTests ?? 0),
  }
}
