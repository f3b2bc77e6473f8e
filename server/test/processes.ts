import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** The processes that a process has started and that still run. Linux only. */
export async function childrenOf(parent: number): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = await Promise.all(ids.map(parentOf))
  return ids.filter((_, index) => parents[index] === parent)
}

/** Whether a process still runs. One that has ended, and that its parent has not collected yet, does not. Linux only. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** proc_pid_stat(5): the second field after the name, which stands in parentheses. */
async function parentOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}
