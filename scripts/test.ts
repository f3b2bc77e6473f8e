import { existsSync } from 'node:fs'
import { glob, mkdir, readFile, rm } from 'node:fs/promises'
import { chromiumPath } from '../e2e/chromium.ts'
import { quickBrowserTag, quickServerFiles } from './quick-tests.ts'
import { root, run, tool } from './run.ts'
import { planTests, type SuiteName } from './test-plan.ts'
import { type Count, countOf, type Failure, failuresOf } from './test-report.ts'
import { buildWebIfStale } from './web-build.ts'

/**
 * `npm test`: checks, then every suite, then one line with the sum. `npm test -- server pings` runs the files of the server suite
 * with "pings" in their names, `npm run test:quick` a part of everything. A suite whose program is missing says so and is
 * skipped; in CI that is a failure, and so is a single skipped test. Tests of a worker that was lost count as failed.
 */
interface Suite {
  /** Runs it and writes a JSON report, if it has tests. Resolves with the exit code. */
  run(report: string): Promise<number>
  readonly hasTests: boolean
  /** Why it cannot run here, or `null`. */
  missing(): string | null
}

const inCi = process.env['CI'] === 'true'
const reports = `${root}.tmp/reports/`
const { suites: names, patterns, isQuick } = readPlan()

const suites: Record<SuiteName, Suite> = {
  checks: {
    hasTests: false,
    missing: () => null,
    // Building the map data again, to compare it, takes as long as all other checks.
    run: () => run('npm', ['run', '--silent', isQuick ? 'check:code' : 'check']),
  },
  server: vitest(`${root}server`, isQuick ? ['--project', 'one node', ...quickServerFiles] : []),
  web: vitest(`${root}web`),
  mobile: vitest(`${root}mobile`),
  browser: {
    hasTests: true,
    missing: () => (chromiumPath() === null ? 'Chromium is not installed (on Debian: apt-get install chromium)' : null),
    run(report) {
      const args = ['test', '--reporter', 'list,json', ...(isQuick ? ['--grep', quickBrowserTag] : []), ...patterns]
      return run(tool('playwright'), args, {
        cwd: `${root}e2e`,
        env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      })
    },
  },
}

function vitest(folder: string, only: readonly string[] = []): Suite {
  const reporters = ['--reporter', 'default', '--reporter', 'json']
  return {
    hasTests: true,
    missing: () => null,
    // Several file patterns may match no file of one suite.
    run: (report) =>
      run(tool('vitest'), [
        'run',
        ...['--root', folder],
        ...reporters,
        ...['--outputFile.json', report],
        ...(patterns.length > 0 ? ['--passWithNoTests', ...patterns] : only),
      ]),
  }
}

await rm(reports, { recursive: true, force: true })
await mkdir(reports, { recursive: true })
const total: Count = { passed: 0, failed: 0, skipped: 0 }
const failures: Failure[] = []
let isBroken = false

if (names.includes('browser') || (names.includes('server') && !isQuick)) await buildWebIfStale()

for (const name of names) {
  const suite = suites[name]
  const missing = suite.missing()
  if (missing !== null) {
    say(`The ${name} suite is skipped: ${missing}.`)
    isBroken ||= inCi
    continue
  }
  say(suite.hasTests ? `The ${name} suite` : `The checks (npm run ${isQuick ? 'check:code' : 'check'})`)
  const report = `${reports}${name}.json`
  const code = await suite.run(report)
  isBroken ||= code !== 0
  if (!suite.hasTests) {
    if (code !== 0) say('The checks failed.')
    continue
  }
  const results: unknown = existsSync(report) ? JSON.parse(await readFile(report, 'utf8')) : null
  const count = countOf(results, code)
  if (results !== null) failures.push(...failuresOf(results))
  if (code !== 0) {
    say(`The ${name} suite failed: ${count.failed} of its tests failed or never ran.`)
    if (inCi && name === 'browser') await printPages()
  }
  total.passed += count.passed
  total.failed += count.failed
  total.skipped += count.skipped
}

const ranTests = names.some((name) => suites[name].hasTests)
// At the end, because the output above is long.
for (const { file, title, errors } of failures) {
  say(`Failed: ${title} (${file})`)
  for (const error of errors) process.stdout.write(`${error}\n`)
}
if (inCi && total.skipped > 0) say('A skipped test is a failure in CI.')
isBroken ||= total.failed > 0 || (ranTests && total.passed === 0) || (inCi && total.skipped > 0)
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`)
process.exit(isBroken ? 1 : 0)

function readPlan() {
  try {
    return planTests(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
}

/** Prints what each failed browser test left of its page, because nobody can look into the folders of a CI machine. */
async function printPages() {
  for await (const file of glob(`${root}.tmp/e2e/*/error-context.md`)) {
    process.stdout.write(`\n${file}\n${(await readFile(file, 'utf8')).slice(0, 6000)}\n`)
  }
}

function say(sentence: string) {
  process.stdout.write(`\n— ${sentence}\n`)
}
