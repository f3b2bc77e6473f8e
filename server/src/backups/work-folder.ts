import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { tryLock } from '../platform/data-folder/folder-lock.ts'

/**
 * The rows of a running backup and the parts of a file that is restored. They must not be written to `BACKUP_DIR`, which may be a
 * disk of someone else.
 */
function workFolders(dataDir: string): string {
  return join(dataDir, 'backup-work')
}

/** Runs the work with a new folder, which is deleted afterwards. */
export async function withWorkFolder<T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(workFolders(dataDir), { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(workFolders(dataDir), 'run-'))
  const lock = tryLock(folder)
  try {
    return await work(folder)
  } finally {
    lock?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Deletes the folders of backups whose process was killed. */
export async function deleteOldWorkFolders(dataDir: string): Promise<void> {
  const names = await readdir(workFolders(dataDir)).catch(() => [])
  for (const name of names) {
    const folder = join(workFolders(dataDir), name)
    const lock = tryLock(folder)
    if (lock === null) continue
    lock.close()
    await rm(folder, { recursive: true, force: true })
  }
}
