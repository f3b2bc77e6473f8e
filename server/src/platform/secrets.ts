import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A secret that is made once and kept in `dataDir/secrets`, readable by this user only. */
export async function keptSecret(dataDir: string, name: string): Promise<string> {
  const folder = join(dataDir, 'secrets')
  const file = join(folder, name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    // `wx` fails where the file is already there, so that a secret is never written over.
    await writeFile(file, newSecret(), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return (await readFile(file, 'utf8')).trim()
}

/** Replaces a secret of the folder `dataDir/secrets` by a new one, whether or not there was one. The server has to be stopped. */
export async function rotateSecret(folder: string, name: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const next = join(folder, `${name}.next`)
  await writeFile(next, newSecret(), { mode: 0o600, flush: true })
  await rename(next, join(folder, name))
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}
