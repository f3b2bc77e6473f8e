import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../errors/start-error.ts'

const secretLengthMin = 32

/**
 * A secret that is created once and stored in `dataDir/secrets`, readable by this user only. Throws `StartError` if the file is
 * there without a usable secret.
 */
export async function loadOrCreateSecret(dataDir: string, name: string): Promise<string> {
  const folder = join(dataDir, 'secrets')
  const file = join(folder, name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const stored = await read(file)
  if (stored === null) await create(file)
  const secret = stored ?? (await read(file)) ?? ''
  if (secret.length >= secretLengthMin) return secret
  throw new StartError(
    `The secret in ${file} is empty or too short. Put the file of a backup there, or delete it: then a new one is made, and everyone has to sign in again.`,
  )
}

async function read(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The file appears under its name once it is complete and on the disk. A secret that is there already stays. */
async function create(file: string): Promise<void> {
  const next = `${file}.${process.pid}.new`
  try {
    const handle = await open(next, 'w', 0o600)
    try {
      await handle.writeFile(newSecret())
      await handle.sync()
    } finally {
      await handle.close()
    }
    await link(next, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(next, { force: true })
  }
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
