export const suiteNames = ['checks', 'server', 'web', 'mobile', 'packages', 'browser', 'engines'] as const
export type SuiteName = (typeof suiteNames)[number]

interface TestPlan {
  readonly suites: readonly SuiteName[]
  /** Parts of file names, passed to each suite's runner. Empty: every file of the suite. */
  readonly patterns: readonly string[]
  /** Only the tests of `npm run test:quick`. */
  readonly isQuick: boolean
}

/**
 * Reads the arguments of `npm test --`. Names of suites select suites; every other word is part of a file name. With file names
 * and no suite, the suites that have test files run, except for `packages`, which builds everything before its first file. Throws
 * an error with a sentence for an unknown option.
 */
export function planTests(args: readonly string[]): TestPlan {
  const unknown = args.find((arg) => arg.startsWith('-') && arg !== '--quick')
  if (unknown !== undefined)
    throw new Error(
      `The option ${unknown} is unknown. Give names of suites (${suiteNames.join(', ')}), parts of file names, or --quick.`,
    )
  const isSuite = (word: string): word is SuiteName => (suiteNames as readonly string[]).includes(word)
  const words = args.filter((arg) => arg !== '--quick')
  const named = suiteNames.filter((name) => words.includes(name))
  const patterns = words.filter((word) => !isSuite(word))
  const isQuick = args.includes('--quick')
  const leftOut: SuiteName[] = [
    ...(patterns.length > 0 ? (['checks', 'packages'] as const) : []),
    ...(isQuick ? (['packages', 'engines'] as const) : []),
  ]
  const everything = suiteNames.filter((name) => !leftOut.includes(name))
  return { suites: named.length > 0 ? named : everything, patterns, isQuick }
}

/**
 * Divides the suites into stages, which run one after the other. The lists of a stage run at the same time, and the suites of a
 * list one after the other. The suites with programs that have time limits of their own run alone: packages must stop within
 * ten seconds, and a browser gives itself a higher priority than other programs where it may. Without most of its files, the
 * server suite is shorter than the checks.
 */
export function stagesOf(suites: readonly SuiteName[], isQuick: boolean): SuiteName[][][] {
  const chosen = (...names: SuiteName[]) => names.filter((name) => suites.includes(name))
  const first = isQuick
    ? [chosen('checks'), chosen('server', 'web', 'mobile')]
    : [chosen('server'), chosen('checks', 'web', 'mobile')]
  const stages = [first, [chosen('packages')], [chosen('browser')], [chosen('engines')]]
  return stages.map((lists) => lists.filter((list) => list.length > 0)).filter((lists) => lists.length > 0)
}

interface Readiness {
  readonly canRun: boolean
  readonly isFailure: boolean
  readonly sentences: readonly string[]
}

/** What is said of a suite that cannot run, or not in all of its parts. In CI either is a failure. */
export function readinessOf(
  name: SuiteName,
  missing: string | null,
  missingParts: readonly string[],
  inCi: boolean,
): Readiness {
  const sentences = missing === null ? missingParts : [`The ${name} suite is skipped: ${missing}.`]
  return { canRun: missing === null, isFailure: inCi && sentences.length > 0, sentences }
}
