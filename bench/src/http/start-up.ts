import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../server/test/free-port.ts'
import { median } from '../process.ts'
import { printTable } from '../table.ts'
import type { Plan } from './plan.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Measures the time from `npm start` to the first response that uses the database. The first start, which may build the web app, does not count. */
export async function measureStart(
  name: string,
  environment: Record<string, string>,
  goal: string,
  plan: Plan,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hither-bench-'))
  const times: number[] = []
  try {
    for (let start = 0; start <= plan.starts; start++) {
      const seconds = await timeStart({ DATA_DIR: folder, LOG_LEVEL: 'warn', BACKUPS_ENABLED: 'off', ...environment })
      if (start > 0) times.push(seconds)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  printTable(`C1 start: seconds from \`npm start\` to the first answer, median of ${plan.starts}`, [
    ['database', 'seconds', 'goal'],
    [name, median(times).toFixed(2), goal],
  ])
}

async function timeStart(environment: Record<string, string>): Promise<number> {
  const port = await freePort()
  const startedAt = performance.now()
  // The child gets its own process group, because npm does not forward signals.
  const child = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(port), ...environment },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  try {
    while (child.exitCode === null) {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
      if (answer?.ok) return (performance.now() - startedAt) / 1000
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error(`npm start ended with ${child.exitCode}`)
  } finally {
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGINT')
    await ended
  }
}
