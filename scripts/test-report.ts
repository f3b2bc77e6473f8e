import { stripVTControlCharacters } from 'node:util'

/** The totals of a suite. */
export interface Count {
  passed: number
  failed: number
  skipped: number
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages?: readonly string[] | null
    }[]
  }[]
}

interface PlaywrightReport {
  readonly stats: {
    readonly expected: number
    readonly unexpected: number
    readonly flaky: number
    readonly skipped: number
  }
  readonly suites: readonly PlaywrightSuite[]
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[]
  readonly specs: readonly {
    readonly ok: boolean
    readonly file: string
    readonly title: string
    readonly tests: readonly {
      readonly results: readonly {
        readonly duration: number
        readonly errors: readonly { readonly message?: string }[]
      }[]
    }[]
  }[]
}

/**
 * Counts the results in a JSON report of Vitest or Playwright. Tests that never ran because their worker was lost count as
 * failed, and so does a file that failed as a whole. `report` is `null` if the suite wrote none. `code` is the exit code of
 * the suite: a suite that failed without a failed test counts as one failure.
 */
export function countOf(report: unknown, code: number): Count {
  const count = report === null ? { passed: 0, failed: 0, skipped: 0 } : sum(report as VitestReport | PlaywrightReport)
  if (count.failed === 0 && (code !== 0 || report === null)) count.failed = 1
  return count
}

function sum(report: VitestReport | PlaywrightReport): Count {
  if ('stats' in report) {
    const { expected, unexpected, flaky, skipped } = report.stats
    return { passed: expected + flaky, failed: unexpected, skipped }
  }
  const count: Count = { passed: 0, failed: 0, skipped: 0 }
  for (const { status, assertionResults } of report.testResults) {
    const failedBefore = count.failed
    for (const { status: outcome } of assertionResults) {
      if (outcome === 'passed') count.passed++
      else if (outcome === 'skipped' || outcome === 'todo' || outcome === 'disabled') count.skipped++
      else count.failed++
    }
    if (status === 'failed' && count.failed === failedBefore) count.failed++
  }
  return count
}

/** The seconds that the tests of each file of a Playwright report took, and how many they are. */
export function browserTimesOf(report: unknown): { file: string; tests: number; seconds: number }[] {
  const specsOf = ({ suites = [], specs }: PlaywrightSuite): PlaywrightSuite['specs'] => [
    ...specs,
    ...suites.flatMap(specsOf),
  ]
  const specs = (report as PlaywrightReport).suites.flatMap(specsOf)
  return Object.entries(Object.groupBy(specs, ({ file }) => file)).map(([file, ofFile = []]) => {
    const results = ofFile.flatMap(({ tests }) => tests.flatMap((test) => test.results))
    return { file, tests: ofFile.length, seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000 }
  })
}

/** A failed test: its file, its title and the beginning of each of its errors. */
export interface Failure {
  readonly file: string
  readonly title: string
  readonly errors: readonly string[]
}

const errorLengthMax = 600

/** The failed tests in a JSON report of Vitest or Playwright, without those that never ran. */
export function failuresOf(report: unknown): Failure[] {
  const { suites, testResults } = report as Partial<VitestReport & PlaywrightReport>
  if (suites !== undefined) return suites.flatMap(failuresOfSuite)
  return (testResults ?? []).flatMap(({ name: file, status, message, assertionResults }) => {
    const failed = assertionResults
      .filter((result) => result.status === 'failed')
      .map((result) => ({ file, title: result.fullName, errors: (result.failureMessages ?? []).map(shortened) }))
    if (failed.length > 0 || status !== 'failed') return failed
    return [{ file, title: 'the file as a whole', errors: message ? [shortened(message)] : [] }]
  })
}

function failuresOfSuite({ suites = [], specs }: PlaywrightSuite): Failure[] {
  const failed = specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
      return { file, title, errors: errors.map(({ message }) => shortened(message ?? '')) }
    })
  return [...failed, ...suites.flatMap(failuresOfSuite)]
}

function shortened(message: string): string {
  return stripVTControlCharacters(message).slice(0, errorLengthMax)
}
