import { readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'

/** The system user that runs the database and owns its folders. */
export interface DatabaseUser {
  readonly uid: number
  readonly gid: number
  readonly name: string
  /** Whether this process is root, and the database runs as another user. */
  readonly isSwitched: boolean
  /** Whether it is the system user `nobody`, which owns no other files. */
  readonly isNobody: boolean
}

/** The id of `nobody` on systems that do not list their users. */
const nobodyId = 65_534

/**
 * Returns the user of this process. For root, which PostgreSQL refuses: the owner of `folder`, or `nobody` if that is
 * root too. `null` on Windows.
 */
export async function chooseDatabaseUser(folder: string): Promise<DatabaseUser | null> {
  const uid = process.geteuid?.()
  if (uid === undefined) return null
  if (uid !== 0)
    return { uid, gid: process.getegid?.() ?? uid, name: await nameOfUser(uid), isSwitched: false, isNobody: false }
  const owner = await stat(folder)
  if (owner.uid !== 0)
    return { uid: owner.uid, gid: owner.gid, name: await nameOfUser(owner.uid), isSwitched: true, isNobody: false }
  const nobody = (await listUsers()).find(({ name }) => name === 'nobody')
  return {
    uid: nobody?.uid ?? nobodyId,
    gid: nobody?.gid ?? nobodyId,
    name: 'nobody',
    isSwitched: true,
    isNobody: true,
  }
}

/** Options of a child process that runs as the database user. */
export function identityOf(user: DatabaseUser | null): { uid?: number; gid?: number } {
  return user?.isSwitched ? { uid: user.uid, gid: user.gid } : {}
}

/** The name of a user, or its number if the system has no name for it. */
export async function nameOfUser(uid: number): Promise<string> {
  if (uid === process.geteuid?.()) {
    try {
      return userInfo().username
    } catch {
      return String(uid)
    }
  }
  return (await listUsers()).find((user) => user.uid === uid)?.name ?? String(uid)
}

async function listUsers(): Promise<{ name: string; uid: number; gid: number }[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}

/** Whether the permission bits allow a user to pass through each folder above `path`, and `path` itself if it is one. */
export async function canAccess(user: DatabaseUser, path: string): Promise<boolean> {
  return (await firstInaccessible(user, path)) === null
}

/** The first folder on the way to `path`, or `path` itself, that the user cannot enter. `null` if there is none. */
export async function firstInaccessible(user: DatabaseUser, path: string): Promise<string | null> {
  if (!user.isSwitched) return null
  const folders: string[] = []
  for (let folder = path; ; folder = dirname(folder)) {
    folders.unshift(folder)
    if (folder === dirname(folder)) break
  }
  for (const folder of folders) {
    const info = await stat(folder).catch(() => null)
    if (info?.isDirectory() && !allows(user, info, 0o1)) return folder
  }
  return null
}

/** Whether the permission bits allow a user to read the file. */
export async function canRead(user: DatabaseUser, file: string): Promise<boolean> {
  if (!user.isSwitched) return true
  return (await canAccess(user, dirname(file))) && allows(user, await stat(file), 0o4)
}

function allows(user: DatabaseUser, info: { mode: number; uid: number; gid: number }, bit: number): boolean {
  const shift = info.uid === user.uid ? 6 : info.gid === user.gid ? 3 : 0
  return ((info.mode >> shift) & bit) === bit
}
