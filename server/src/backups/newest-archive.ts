import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type ArchiveName, archivesAmong } from './backups.rules.ts'

/** Returns the archives in the folder, oldest first. */
export async function archivesIn(folder: string): Promise<ArchiveName[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return archivesAmong(names)
}

/** Returns the path of the newest backup; `null` if there is none, or none that can be seen. */
export async function newestArchive(folder: string): Promise<string | null> {
  const newest = (await archivesIn(folder).catch(() => [])).at(-1)
  return newest === undefined ? null : join(folder, newest.name)
}
