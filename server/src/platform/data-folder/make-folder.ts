import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder of an operator's setting with its parents, readable by this user only. Returns the first folder that was
 * created, if any. The option `recursive` of `mkdir` never settles below a folder such as `/proc`, where the system
 * says of a new folder that its parent does not exist.
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  try {
    return (await makeOne(path)) ? path : undefined
  } catch (error) {
    const parent = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error
    const first = await makeFolder(parent)
    const isNew = await makeOne(path)
    return first ?? (isNew ? path : undefined)
  }
}

/** Returns whether the folder was created now. */
async function makeOne(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 })
    return true
  } catch (error) {
    const isFolder = await stat(path).then(
      (info) => info.isDirectory(),
      () => false,
    )
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && isFolder) return false
    throw error
  }
}
