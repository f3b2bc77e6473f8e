import { chmod, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'

/** All permissions of the group and of others. */
const foreignBits = 0o077

/**
 * Makes this process, its threads and children create files with mode 0600 and folders with mode 0700. Call it on the
 * main thread only.
 */
export function createPrivateFiles(): void {
  process.umask(foreignBits)
}

/**
 * Removes the permissions of the group and of others from a folder and everything in it, except the entries of the
 * folder whose names `isExempt` accepts. Does not follow symbolic links. Entries of other users stay unchanged and are
 * logged without their names.
 */
export async function restrictFolder(
  folder: string,
  log: Pick<FastifyBaseLogger, 'warn'>,
  isExempt: (name: string) => boolean = () => false,
): Promise<void> {
  let refused = 0
  await restrict(folder)
  if (refused > 0) log.warn({ path: folder, count: refused }, 'data folder is readable by other users')

  async function restrict(path: string): Promise<void> {
    try {
      const entry = await lstat(path)
      if (entry.isSymbolicLink()) return
      if ((entry.mode & foreignBits) !== 0) await chmod(path, entry.mode & 0o700)
      if (!entry.isDirectory()) return
      for (const name of await readdir(path)) if (path !== folder || !isExempt(name)) await restrict(join(path, name))
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? ''
      // A running server may delete files of the folder meanwhile.
      if (code === 'ENOENT') return
      if (!['EPERM', 'EACCES', 'EROFS'].includes(code)) throw error
      refused++
    }
  }
}
