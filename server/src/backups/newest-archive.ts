import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { archivesAmong } from './backups.rules.ts'

/** Returns the path of the newest backup; `null` if there is none. */
export async function newestArchive(folder: string): Promise<string | null> {
  const names = await readdir(folder).catch(() => [])
  const newest = archivesAmong(names).at(-1)
  return newest === undefined ? null : join(folder, newest.name)
}
