import { existsSync } from 'node:fs'
import { glob, mkdir, readFile, rm } from 'node:fs/promises'
import { chromiumPath } from '../e2e/chromium.ts'
import { engines, missingEngines } from '../e2e/engines/installed.ts'
import { missingRequirement } from '../server/test/packages/requirements.ts'
import { createOrderedOutput, type Output } from './ordered-output.ts'
import { quickBrowserTag, quickServerFiles } from './quick-tests.ts'
import { root, runInto, tool } from './run.ts'
import { planTests, readinessOf, type SuiteName, stagesOf } from './test-plan.ts'
import { type Count, countOf, type Failure, failuresOf } from './test-report.ts'
import { buildWebIfStale } from './web-build.ts'

/**
 * `npm test` runs the checks and every suite, and prints one line with the sum. `npm test -- server pings` runs the files of the server suite
 * with "pings" in their names, `npm run test:quick` a part of everything. A suite whose program is missing says so and is
 * skipped; in CI that is a failure, and so is a single skipped test. Tests of a worker that was lost count as failed. The server
 * suite, which often waits for processes that it starts, runs at the same time as the checks and the web and mobile suites.
 */
interface Suite {
  /** Runs it and writes a JSON report, if it has tests. Resolves with the exit code. */
  run(report: string, output: Output): Promise<number>
  readonly hasTests: boolean
  /** Why it cannot run here, or `null`. */
  missing(): string | null
  /** Sentences about the parts of it that cannot run here. */
  missingParts?(): string[]
}

const inCi = process.env['CI'] === 'true'
const reports = `${root}.tmp/reports/`
const { suites: names, patterns, isQuick } = readPlan()

const suites: Record<SuiteName, Suite> = {
  checks: {
    hasTests: false,
    missing: () => null,
    // Building the map data again, to compare it, takes as long as all other checks.
    run: (_, output) => runInto(output, 'npm', ['run', '--silent', isQuick ? 'check:code' : 'check']),
  },
  server: vitest(`${root}server`, isQuick ? ['--project', 'one node', ...quickServerFiles] : []),
  web: vitest(`${root}web`),
  mobile: vitest(`${root}mobile`),
  packages: {
    ...vitest(`${root}server`, [], ['--config', 'vitest.packages.config.ts']),
    missing: missingRequirement,
  },
  browser: {
    hasTests: true,
    missing: () => (chromiumPath() === null ? 'Chromium is not installed (on Debian: apt-get install chromium)' : null),
    run: (report, output) => playwright(report, output, isQuick ? ['--grep', quickBrowserTag] : []),
  },
  engines: {
    hasTests: true,
    missing: () => (engines().every(({ missing }) => missing !== null) ? 'no browser is installed' : null),
    missingParts: () => missingEngines(engines()),
    run: (report, output) => playwright(report, output, ['--config', 'engines/playwright.config.ts']),
  },
}

function playwright(report: string, output: Output, options: readonly string[]): Promise<number> {
  // Several file patterns may match no file of one suite.
  const only = patterns.length > 0 ? ['--pass-with-no-tests', ...patterns] : []
  return runInto(output, tool('playwright'), ['test', '--reporter', 'list,json', ...options, ...only], {
    cwd: `${root}e2e`,
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  })
}

function vitest(folder: string, only: readonly string[] = [], options: readonly string[] = []): Suite {
  const reporters = ['--reporter', 'default', '--reporter', 'json', '--reporter', `${root}scripts/times-reporter.ts`]
  return {
    hasTests: true,
    missing: () => null,
    // Several file patterns may match no file of one suite.
    run(report, output) {
      const args = ['run', '--root', folder, ...options, ...reporters, '--outputFile.json', report]
      return runInto(
        output,
        tool('vitest'),
        [...args, ...(patterns.length > 0 ? ['--passWithNoTests', ...patterns] : only)],
        { env: { ...process.env, TIMES_FILE: report.replace(/json$/, 'times.json') } },
      )
    },
  }
}

await rm(reports, { recursive: true, force: true })
await mkdir(reports, { recursive: true })
const total: Count = { passed: 0, failed: 0, skipped: 0 }
const failures: Failure[] = []
let isBroken = false

const needWeb: readonly SuiteName[] = ['packages', 'browser', 'engines']
if (names.some((name) => needWeb.includes(name)) || (names.includes('server') && !isQuick)) await buildWebIfStale()

const outputs = createOrderedOutput((text) => process.stdout.write(text))
for (const stage of stagesOf(names, isQuick)) await Promise.all(stage.map(runSuites))

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

async function runSuites(list: readonly SuiteName[]) {
  for (const name of list) {
    const output = outputs.open()
    await runSuite(name, output)
    output.end()
  }
}

async function runSuite(name: SuiteName, output: Output) {
  const suite = suites[name]
  const { canRun, isFailure, sentences } = readinessOf(name, suite.missing(), suite.missingParts?.() ?? [], inCi)
  for (const sentence of sentences) say(sentence, output)
  isBroken ||= isFailure
  if (!canRun) return
  say(suite.hasTests ? `The ${name} suite` : `The checks (npm run ${isQuick ? 'check:code' : 'check'})`, output)
  const report = `${reports}${name}.json`
  const startedAt = Date.now()
  const code = await suite.run(report, output)
  isBroken ||= code !== 0
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  say(`${suite.hasTests ? `The ${name} suite` : 'The checks'} took ${seconds} s.`, output)
  if (!suite.hasTests) {
    if (code !== 0) say('The checks failed.', output)
    return
  }
  const results: unknown = existsSync(report) ? JSON.parse(await readFile(report, 'utf8')) : null
  const count = countOf(results, code)
  if (results !== null) failures.push(...failuresOf(results))
  if (code !== 0) {
    say(`The ${name} suite failed: ${count.failed} of its tests failed or never ran.`, output)
    if (inCi && name === 'browser') await printPages(output)
  }
  total.passed += count.passed
  total.failed += count.failed
  total.skipped += count.skipped
}

function readPlan() {
  try {
    return planTests(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  }
}

/** Prints what each failed browser test left of its page, because nobody can look into the folders of a CI machine. */
async function printPages(output: Output) {
  for await (const file of glob(`${root}.tmp/e2e/*/error-context.md`)) {
    output.write(`\n${file}\n${(await readFile(file, 'utf8')).slice(0, 6000)}\n`)
  }
}

function say(sentence: string, output: Pick<Output, 'write'> = process.stdout) {
  output.write(`\n— ${sentence}\n`)
}
