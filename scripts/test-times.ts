import { existsSync, readFileSync } from 'node:fs'
import { root } from './run.ts'
import { browserTimesOf } from './test-report.ts'
import type { FileTimes } from './times-reporter.ts'

/**
 * `npm run test:times` prints where the last `npm test` spent its time: for each suite the sum and the files that cost most
 * (`-- 50` prints fifty of them). CPU time is what counts on a busy machine. That of the shared PostgreSQL server belongs to no file.
 */
const rows = Number(process.argv[2] ?? 20)

for (const suite of ['server', 'web', 'mobile', 'browser']) {
  const vitest = read<FileTimes[]>(`${suite}.times.json`)
  if (vitest !== null) printVitest(suite, vitest)
  else if (suite === 'browser') printBrowser(read<unknown>('browser.json'))
}

function printVitest(suite: string, files: readonly FileTimes[]) {
  const numbers = ({ tests, cpu, imports, hooks, inTests }: Omit<FileTimes, 'file' | 'project'>) =>
    [cpu.worker, cpu.processes, imports, hooks, inTests].map((value) => value.toFixed(1)).concat(String(tests))
  const sum = (pick: (times: FileTimes) => number) => files.reduce((total, times) => total + pick(times), 0)
  const all = {
    tests: sum(({ tests }) => tests),
    imports: sum(({ imports }) => imports),
    hooks: sum(({ hooks }) => hooks),
    inTests: sum(({ inTests }) => inTests),
    cpu: { worker: sum(({ cpu }) => cpu.worker), processes: sum(({ cpu }) => cpu.processes) },
  }
  const cost = ({ cpu }: FileTimes) => cpu.worker + cpu.processes
  const slowest = files.toSorted((a, b) => cost(b) - cost(a)).slice(0, rows)
  print([
    ['CPU s', 'started', 'imports', 'hooks', 'tests s', 'tests', `The ${suite} suite`],
    [...numbers(all), `all ${files.length} files`],
    ...slowest.map((times) => [
      ...numbers(times),
      `${times.file}${times.project === 'two nodes' ? ' (two nodes)' : ''}`,
    ]),
  ])
}

function printBrowser(report: unknown) {
  if (report === null) return
  const files = browserTimesOf(report).toSorted((a, b) => b.seconds - a.seconds)
  const sum = (pick: (file: (typeof files)[number]) => number) => files.reduce((total, file) => total + pick(file), 0)
  print([
    ['tests s', 'tests', 'The browser suite'],
    [sum(({ seconds }) => seconds).toFixed(1), String(sum(({ tests }) => tests)), `all ${files.length} files`],
    ...files.slice(0, rows).map(({ file, tests, seconds }) => [seconds.toFixed(1), String(tests), file]),
  ])
}

function print(table: readonly string[][]) {
  for (const row of table)
    process.stdout.write(
      `${row.map((cell, index) => (index < row.length - 1 ? cell.padStart(8) : ` ${cell}`)).join('')}\n`,
    )
  process.stdout.write('\n')
}

function read<T>(name: string): T | null {
  const file = `${root}.tmp/reports/${name}`
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : null
}
