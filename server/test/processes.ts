import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

/** The process ids of the running children of a process. Linux only. */
export async function childrenOf(parent: number): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const parents = await Promise.all(ids.map(parentOf))
  return ids.filter((_, index) => parents[index] === parent)
}

/** Whether a process is running. A zombie process counts as ended. Linux only. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Reads the parent's id, the second field after the name in parentheses. See proc_pid_stat(5). */
async function parentOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}
