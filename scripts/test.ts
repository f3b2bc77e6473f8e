import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { chromiumPath } from '../e2e/chromium.ts'
import { root, run, tool } from './run.ts'
import { type Count, countOf } from './test-report.ts'
import { buildWebIfStale } from './web-build.ts'

/**
 * `npm test`: checks, then every suite, then one line with the sum. A suite whose program is missing says so and is passed
 * over; in CI that is a failure, and so is a single skipped test. Tests of a worker that was lost count as failed.
 */
interface Suite {
  readonly name: string
  readonly report: string
  run(report: string): Promise<number>
  /** Why it cannot run here, or `null`. */
  missing(): string | null
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
  const code = await suite.run(report)
  broken ||= code !== 0
  const count = countOf(existsSync(report) ? JSON.parse(await readFile(report, 'utf8')) : null, code)
  if (code !== 0) say(`The ${suite.name} suite failed: ${count.failed} of its tests failed or never ran.`)
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
