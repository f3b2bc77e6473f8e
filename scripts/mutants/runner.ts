import { createVitest, type Reporter, type TestCase, type TestModule } from 'vitest/node'

/**
 * A process that keeps one Vitest for many runs, because reading and transforming the code costs more than most tests. Arguments:
 * the folder of the suite, and the project. It answers each request with a reply, over the channel to the process that started it.
 */
export interface Request {
  /** The module to test. It may have changed since the last run, as may the one of that run. */
  readonly changed: string
  /** Parts of the paths of test files, or `null` for all tests that load the module. */
  readonly patterns: readonly string[] | null
}

export interface Reply {
  /** How many test files ran. */
  readonly files: number
  /** The first test that failed, with its file. `null` if all passed. */
  readonly failed: { readonly file: string; readonly name: string } | null
}

const [folder, project] = process.argv.slice(2)
let failed: Reply['failed'] = null
let changedBefore = ''

/** Ends the run at the first failure. */
const reporter: Reporter = {
  onTestCaseResult: (test: TestCase) => note(!test.ok(), test.module, test.fullName),
  onTestModuleEnd: (module: TestModule) => note(!module.ok(), module, 'the file as a whole'),
}

function note(hasFailed: boolean, { moduleId: file }: TestModule, name: string) {
  if (!hasFailed || failed !== null) return
  failed = { file, name }
  // Not awaited: the run waits for its reporters, and canceling waits for the run.
  void vitest.cancelCurrentRun('test-failure')
}

const vitest = await createVitest('test', {
  root: folder as string,
  watch: false,
  reporters: [reporter],
  ...(project !== undefined && { project: [project] }),
})

process.on('message', async ({ changed, patterns }: Request) => {
  failed = null
  for (const file of [changedBefore, changed]) vitest.invalidateFile(file)
  changedBefore = changed
  if (patterns === null) vitest.config.related = [changed]
  const tests =
    patterns === null
      ? await vitest.getRelevantTestSpecifications()
      : await vitest.globTestSpecifications([...patterns])
  if (tests.length > 0) {
    const { unhandledErrors } = await vitest.runTestSpecifications(tests)
    if (unhandledErrors.length > 0) failed ??= { file: tests[0]?.moduleId ?? '', name: 'an error outside of the tests' }
  }
  process.send?.({ files: tests.length, failed } satisfies Reply)
})
process.once('disconnect', async () => {
  await vitest.close()
  process.exit()
})
process.send?.('ready')
