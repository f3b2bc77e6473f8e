import { expect, it } from 'vitest'
import { engines, missingEngines } from '../../e2e/engines/installed.ts'
import { planTests, readinessOf, stagesOf, suiteNames } from '../../scripts/test-plan.ts'
import { missingRequirement } from './packages/requirements.ts'

it('runs every suite without arguments', () => {
  expect(planTests([])).toEqual({ suites: suiteNames, patterns: [], isQuick: false })
})

it('runs the named suites in their usual order', () => {
  expect(planTests(['web', 'server']).suites).toEqual(['server', 'web'])
})

it('takes every other word as part of a file name, and runs no checks for file names alone', () => {
  expect(planTests(['pings', 'chat'])).toEqual({
    suites: ['server', 'web', 'mobile', 'browser', 'engines'],
    patterns: ['pings', 'chat'],
    isQuick: false,
  })
  expect(planTests(['browser', 'chat']).suites).toEqual(['browser'])
  expect(planTests(['packages', 'image']).suites).toEqual(['packages'])
})

it('restricts the run to the quick tests with --quick, of which the engines and packages suites have none', () => {
  const suites = ['checks', 'server', 'web', 'mobile', 'browser']
  expect(planTests(['--quick'])).toEqual({ suites, patterns: [], isQuick: true })
})

it('rejects an unknown option with a sentence that names it', () => {
  expect(() => planTests(['--fast'])).toThrow('The option --fast is unknown.')
})

it('runs the server suite at the same time as the checks and unit tests, and packages and browsers alone', () => {
  const first = [['server'], ['checks', 'web', 'mobile']]
  expect(stagesOf(suiteNames, false)).toEqual([first, [['packages']], [['browser']], [['engines']]])
  expect(stagesOf(['web', 'browser'], false)).toEqual([[['web']], [['browser']]])
})

it('runs the checks at the same time as all unit tests if only the quick ones run', () => {
  expect(stagesOf(planTests(['--quick']).suites, true)).toEqual([
    [['checks'], ['server', 'web', 'mobile']],
    [['browser']],
  ])
})

it('skips a suite whose programs are missing with a sentence, which is a failure in CI', () => {
  const missing = missingRequirement(true, (program) => program !== 'buildah')
  const sentences = ['The packages suite is skipped: buildah is missing (on Debian: apt-get install buildah).']
  expect(readinessOf('packages', missing, [], false)).toEqual({ canRun: false, isFailure: false, sentences })
  expect(readinessOf('packages', missing, [], true)).toEqual({ canRun: false, isFailure: true, sentences })
  expect(missingRequirement(false, () => true)).toContain('it needs root')
  expect(missingRequirement(true, () => true)).toBeNull()
})

it('runs the stories without an engine that is not installed, and says so, which is a failure in CI', () => {
  const parts = missingEngines(engines((path) => !path.includes('firefox')))
  const sentences = [
    'The stories are not run in firefox, which is not installed (on Debian: apt-get install firefox-esr xvfb openbox dbus).',
  ]
  expect(readinessOf('engines', null, parts, false)).toEqual({ canRun: true, isFailure: false, sentences })
  expect(readinessOf('engines', null, parts, true)).toEqual({ canRun: true, isFailure: true, sentences })
  expect(readinessOf('engines', null, [], true)).toEqual({ canRun: true, isFailure: false, sentences: [] })
})
