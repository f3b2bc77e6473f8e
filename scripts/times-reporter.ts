import { writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import type { CpuTime } from './cpu.setup.ts'
import { root } from './run.ts'

/** Where the time of one test file went, in seconds. */
export interface FileTimes {
  readonly file: string
  readonly project: string
  readonly tests: number
  readonly imports: number
  /** Of `beforeAll`, `afterAll` and the other hooks: starting servers and databases, creating users. */
  readonly hooks: number
  readonly inTests: number
  readonly cpu: CpuTime
}

/** Writes the times of all files into the file that `TIMES_FILE` names. */
export default class TimesReporter implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const file = process.env['TIMES_FILE']
    if (file !== undefined) await writeFile(file, JSON.stringify(modules.map(timesOf)))
  }
}

function timesOf(module: TestModule): FileTimes {
  const { collectDuration, setupDuration, duration } = module.diagnostic()
  const tests = [...module.children.allTests()]
  const inTests = tests.reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0) / 1000
  return {
    file: relative(root, module.moduleId).replaceAll('\\', '/'),
    project: module.project.name,
    tests: tests.length,
    imports: (collectDuration + setupDuration) / 1000,
    hooks: Math.max(0, duration / 1000 - inTests),
    inTests,
    cpu: module.meta().cpu ?? { worker: 0, processes: 0 },
  }
}
