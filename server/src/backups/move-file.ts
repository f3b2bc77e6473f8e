import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, open, rm, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BackupSettings } from '../config/backups.ts'
import type { Config } from '../config.ts'
import { type Entry, readTar, writeTar } from './archive.ts'
import { BackupError, damaged } from './backup-error.ts'
import { archivesAmong } from './backups.rules.ts'
import { ageHeader } from './encryption.ts'
import { tombstoneFile } from './tombstones.service.ts'
import { withWorkFolder } from './work-folder.ts'

// A move file is a tar file of a backup and what belongs to it: all that a server on another machine needs.

const settingsName = 'hither.env'
const tombstonesName = basename(tombstoneFile(''))

interface Move {
  /** The path of the new file; `-`: standard output. */
  readonly target: string
  /** The path of the backup. It is deleted afterwards, because the move file has it. */
  readonly archive: string
  readonly settings: BackupSettings
  /** The settings of an installed package. */
  readonly settingsFile: string | null
}

/** Writes a move file, readable by this user only. `target` must not exist. */
export async function writeMoveFile({ target, archive, settings, settingsFile }: Move): Promise<void> {
  const files = [
    { name: basename(archive), path: archive },
    { name: tombstonesName, path: tombstoneFile(settings.folder) },
    ...(settingsFile === null ? [] : [{ name: settingsName, path: settingsFile }]),
  ]
  try {
    if (target === '-') {
      await writeTar(process.stdout, entriesOf(files), { end: false })
      return
    }
    const file = await open(target, 'wx', 0o600)
    await writeTar(file.createWriteStream({ flush: true }), entriesOf(files)).catch(async (error) => {
      await rm(target, { force: true })
      throw error
    })
  } finally {
    await rm(archive, { force: true })
  }
}

async function* entriesOf(files: readonly { name: string; path: string }[]): AsyncGenerator<Entry> {
  for (const { name, path } of files) {
    // A server without any erasure has no list of them.
    const size = name === tombstonesName ? await sizeIfPresent(path) : (await stat(path)).size
    // The server may append to the list meanwhile.
    yield { name, size, content: size === 0 ? [] : createReadStream(path, { end: size - 1 }) }
  }
}

async function sizeIfPresent(path: string): Promise<number> {
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return info?.size ?? 0
}

/**
 * Calls `restore` with the path of an archive: `source` itself, or the one that is in the move file `source`. `-` is standard
 * input. Throws `BackupError` before that if a move file is not complete. Returns where the settings of the old machine are now.
 */
export async function withBackupFile<T>(
  source: string,
  { dataDir }: Pick<Config, 'dataDir'>,
  restore: (path: string) => Promise<T>,
): Promise<{ restored: T; oldSettings: string | null }> {
  const shown = source === '-' ? 'of standard input' : source
  const { isArchive, content } = await openSource(source, shown)
  if (isArchive && source !== '-') {
    content.destroy()
    return { restored: await restore(resolve(source)), oldSettings: null }
  }
  return withWorkFolder(dataDir, async (workFolder) => {
    if (isArchive) {
      const path = join(workFolder, 'archive')
      await pipeline(content, createWriteStream(path))
      return { restored: await restore(path), oldSettings: null }
    }
    const { archive, hasSettings } = await unpack(content, shown, workFolder)
    const restored = await restore(archive)
    if (!hasSettings) return { restored, oldSettings: null }
    const oldSettings = join(dataDir, 'old-machine.env')
    await copyFile(join(workFolder, settingsName), oldSettings)
    return { restored, oldSettings }
  })
}

/** Reads the first bytes, which tell an archive from a move file, and puts them back. */
async function openSource(source: string, shown: string) {
  const content = source === '-' ? process.stdin : createReadStream(source)
  const first = await new Promise<Buffer | null>((resolve, reject) => {
    content.once('error', reject)
    content.once('end', () => resolve(null))
    content.once('readable', () => resolve(content.read() as Buffer | null))
  })
  if (first === null) throw damaged(shown)
  content.unshift(first)
  const isGzip = first[0] === 0x1f && first[1] === 0x8b
  return { isArchive: isGzip || first.toString('latin1', 0, ageHeader.length) === ageHeader, content }
}

/** Writes the entries of a complete move file into a folder. */
async function unpack(
  content: AsyncIterable<Buffer>,
  shown: string,
  folder: string,
): Promise<{ archive: string; hasSettings: boolean }> {
  const names: string[] = []
  for await (const entry of readTar(content, shown)) {
    const isKnown = [tombstonesName, settingsName].includes(entry.name) || archivesAmong([entry.name]).length === 1
    if (!isKnown) throw damaged(shown)
    names.push(entry.name)
    await pipeline(entry.content, createWriteStream(join(folder, entry.name), { flags: 'wx', mode: 0o600 }))
  }
  const [archive, ...others] = archivesAmong(names)
  if (others.length > 0) throw damaged(shown)
  if (archive === undefined) throw new BackupError(`The file ${shown} has no backup in it. Nothing was changed.`)
  return { archive: join(folder, archive.name), hasSettings: names.includes(settingsName) }
}
