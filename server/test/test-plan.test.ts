import { expect, it } from 'vitest'
import { planTests, stagesOf, suiteNames } from '../../scripts/test-plan.ts'

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
