import { access, chmod, chown, constants, lstat, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { makeFolder } from '../../data-folder/make-folder.ts'
import { StartError } from '../../errors/start-error.ts'
import { canAccess, chooseDatabaseUser, type DatabaseUser, firstInaccessible, nameOfUser } from './database-user.ts'
import { explainFileError } from './file-errors.ts'
import { cannotSwitchUserError } from './programs.ts'

/** Used by root instead of a `./data` that the database user could not enter. */
const systemDataDir = '/var/lib/hither'

/**
 * Creates `dataDir` with mode 0700 if it is missing. If root does, the new folders get the owner of the folder that contains
 * them. Throws `StartError` if that is impossible.
 */
export async function createDataDir(dataDir: string): Promise<void> {
  try {
    const first = await makeFolder(dataDir)
    await assertWritable(dataDir)
    if (first === undefined || process.geteuid?.() !== 0) return
    const { uid, gid } = await stat(dirname(first))
    if (uid === 0) return
    for (let folder = dataDir; folder.length >= first.length; folder = dirname(folder)) await chown(folder, uid, gid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new StartError(`${dataDir} can't be created there. Set DATA_DIR to a folder on a local disk.`)
    throw explainFileError(error, dataDir)
  }
}

/** The data folder of a process with these settings: `DATA_DIR`, else `./data`, else what `chooseDataDir` chooses for root. */
export async function findDataDir(environment: Readonly<Record<string, string | undefined>>): Promise<string> {
  const named = environment['DATA_DIR']?.trim()
  if (named) return resolve(named)
  const standard = resolve('data')
  return environment['DATABASE_URL']?.trim() ? standard : chooseDataDir(standard)
}

/** The folder to use if `DATA_DIR` is not set: `standard`, or for root one that the database user can access. */
async function chooseDataDir(standard: string): Promise<string> {
  if (process.geteuid?.() !== 0 || (await stat(standard).catch(() => null)) !== null) return standard
  const parent = dirname(standard)
  const user = await chooseDatabaseUser(parent)
  return user === null || (await canAccess(user, parent)) ? standard : systemDataDir
}

/**
 * Allows only the database user to pass through `dataDir`, and nobody else to read its contents. Returns that user
 * (`null` on Windows). Throws `StartError` if the user cannot access `dataDir`, or if it belongs to another user.
 */
export async function openDataDirToDatabase(dataDir: string): Promise<DatabaseUser | null> {
  const user = await chooseDatabaseUser(dataDir)
  if (user === null) return null
  if (user.isNobody) {
    await closeContent(dataDir)
    await chmod(dataDir, 0o711)
  }
  const closed = await firstInaccessible(user, dataDir)
  if (closed === null) return user
  throw new StartError(
    `The database can't run as root, and the user ${user.name} can't enter ${closed}. ` +
      'Run Hither as an ordinary user, or set DATA_DIR to a folder like /var/lib/hither.',
  )
}

async function assertWritable(dataDir: string): Promise<void> {
  try {
    await access(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { uid } = await stat(dataDir)
    if ((error as NodeJS.ErrnoException).code === 'EACCES' && uid !== process.geteuid?.())
      throw await wrongOwnerError(dataDir, dataDir, uid)
    throw error
  }
}

/** The error for a folder that belongs to a user other than the one that has to use it. */
export async function wrongOwnerError(folder: string, dataDir: string, uid: number): Promise<StartError> {
  const [owner, ours] = [await nameOfUser(uid), await nameOfUser(process.geteuid?.() ?? 0)]
  return new StartError(
    `${folder} belongs to the user ${owner}, but Hither runs as ${ours}. Run Hither as that user, or change the owner of ${dataDir}.`,
  )
}

/** Removes the access of other users to the entries: a user who can enter the folder could open them by name. */
async function closeContent(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const path = join(dataDir, name)
    const info = await lstat(path)
    const isShared = name === 'postgres-programs'
    if (isShared || info.uid !== 0 || !(info.isDirectory() || info.isFile())) continue
    if ((info.mode & 0o077) !== 0) await chmod(path, info.mode & 0o700)
  }
}

/**
 * Creates the folder if it is missing, and gives it the database user as owner and the mode 0700. Throws `StartError`
 * if the file system does not support permissions.
 */
export async function makePrivateFolder(folder: string, user: DatabaseUser | null, dataDir: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (user === null) return
    if (user.isSwitched) {
      await chown(folder, user.uid, user.gid).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'EINVAL' ? cannotSwitchUserError(user) : error
      })
    }
    await chmod(folder, 0o700)
    const { mode, uid } = await stat(folder)
    if ((mode & 0o777) === 0o700 && uid === user.uid) return
  } catch (error) {
    throw explainFileError(error, dataDir)
  }
  throw new StartError(
    `The file system of ${dataDir} doesn't keep file permissions. Set DATA_DIR to a folder on a local disk.`,
  )
}
