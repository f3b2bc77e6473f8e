import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServiceStatus } from '@hither/contract/moderation.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { BackupSettings } from '../config/backups.ts'
import type { Config } from '../config.ts'
import { makeFolder } from '../platform/data-folder/make-folder.ts'
import type { Pool, Tx } from '../platform/db/database.ts'
import type { Applied } from '../platform/db/migrations.ts'
import { allowLongWork } from '../platform/db/open-database.ts'
import { createStorage, type Storage } from '../platform/media/storage.ts'
import { version } from '../version.ts'
import { type Entry, writeArchive } from './archive.ts'
import { type BackupKind, nameOf } from './backups.rules.ts'
import { archivesIn } from './newest-archive.ts'
import * as queries from './snapshot.queries.ts'
import { deleteOldWorkFolders, withWorkFolder } from './work-folder.ts'

export interface BackupDeps {
  readonly pool: Pool
  readonly storage: Storage
  readonly settings: BackupSettings
  readonly dataDir: string
  /**
   * The folder in which a restore creates a new signing key; `null` if the environment contains the key. No backup
   * contains it.
   */
  readonly secretsDir: string | null
  /** The hours after the end of a ping after which a restore erases its exact place. */
  readonly placeKeepHours: number
  readonly log: FastifyBaseLogger
  readonly now: () => Date
}

/** Reads the dependencies from the configuration. */
export function backupDepsOf(config: Config, rest: Pick<BackupDeps, 'pool' | 'log' | 'now'>): BackupDeps {
  return {
    ...rest,
    storage: createStorage(config),
    settings: config.backups,
    dataDir: config.dataDir,
    secretsDir: config.authSecret === null ? join(config.dataDir, 'secrets') : null,
    placeKeepHours: config.placeKeepHours,
  }
}

/** The last entry of an archive: its contents and version. */
export interface Manifest {
  readonly format: 1
  readonly version: string
  readonly made_at: string
  readonly kind: BackupKind
  readonly migrations: readonly Applied[]
  /** The tables in the order in which their rows can be written. */
  readonly tables: readonly TableDump[]
  readonly sequences: readonly queries.Sequence[]
  readonly files: number
  /** Files that a row names but that no longer exist in the storage. */
  readonly missing_files: readonly string[]
  /** The checksum of the entry `checksums.txt`, which contains those of all other entries. */
  readonly checksums_sha256: string
}

export interface TableDump {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: number
  readonly parts: readonly string[]
}

export interface BackupResult {
  readonly path: string
  readonly bytes: number
  readonly rows: number
  readonly files: number
}

/** The limit of tar for one entry is eight gigabytes. */
const partBytesMax = 1024 ** 3
/** After this time the files of an interrupted backup are deleted. */
const leftoverMs = 3_600_000

/**
 * Writes one archive of the database and its files into the folder, readable by this user only. The archive appears
 * under its name when it is complete.
 * The database is read in one transaction to plain files below `dataDir`, compressed and encrypted afterwards, so that
 * the transaction, which prevents the cleanup of old rows, is short.
 */
export async function takeBackup(deps: BackupDeps, kind: BackupKind): Promise<BackupResult> {
  const { settings, dataDir, now } = deps
  const { folder, recipients } = settings
  await makeFolder(folder)
  await sweep(folder)
  await deleteOldWorkFolders(dataDir)
  const madeAt = now()
  const partial = join(folder, `.partial-${randomBytes(6).toString('hex')}`)
  try {
    return await withWorkFolder(dataDir, async (workFolder) => {
      const snapshot = await dump(deps.pool, workFolder)
      const counted = { files: 0 }
      await writeArchive(partial, entriesOf(deps, { snapshot, workFolder, kind, madeAt, counted }), recipients)
      const path = join(folder, nameOf(kind, madeAt, recipients.length > 0))
      await rename(partial, path)
      await syncFolder(folder)
      const rows = snapshot.tables.reduce((sum, table) => sum + table.rows, 0)
      return { path, bytes: (await stat(path)).size, rows, files: counted.files }
    })
  } finally {
    await rm(partial, { force: true })
  }
}

/** What admins see of the backups of this node. */
export async function getBackupStatus(settings: BackupSettings): Promise<NonNullable<ServiceStatus['backups']>> {
  const archives = await archivesIn(settings.folder)
  return {
    is_on: settings.isOn,
    keep_days: settings.keepDays,
    newest_at: archives.at(-1)?.madeAt.toISOString() ?? null,
    is_encrypted: settings.recipients.length > 0,
    unencrypted_count: archives.filter(({ isEncrypted }) => !isEncrypted).length,
  }
}

interface Snapshot {
  readonly migrations: Applied[]
  readonly tables: TableDump[]
  readonly sequences: queries.Sequence[]
  readonly keys: Set<string>
}

async function dump(pool: Pool, folder: string): Promise<Snapshot> {
  // All rows are read from one snapshot.
  const snapshot = await pool.begin('isolation level repeatable read read only', async (tx): Promise<Snapshot> => {
    await allowLongWork(tx)
    const tables: TableDump[] = []
    for (const table of queries.sortByReference(await queries.listTables(tx)))
      tables.push(await dumpTable(tx, table, folder))
    return {
      migrations: await queries.listMigrations(tx),
      tables,
      sequences: await queries.listSequences(tx),
      keys: await queries.listFiles(tx),
    }
  })
  return snapshot as Snapshot
}

async function dumpTable(tx: Tx, table: queries.Table, folder: string): Promise<TableDump> {
  const parts: string[] = []
  let rows = 0
  let partBytes = 0
  let file: Awaited<ReturnType<typeof open>> | null = null
  try {
    for await (const batch of queries.readRows(tx, table)) {
      if (file === null || partBytes > partBytesMax) {
        await file?.close()
        const part = `${table.name}.${String(parts.length + 1).padStart(4, '0')}.jsonl`
        file = await open(join(folder, part), 'wx', 0o600)
        parts.push(part)
        partBytes = 0
      }
      const bytes = Buffer.from(batch.map(({ row }) => `${row}\n`).join(''))
      await file.appendFile(bytes)
      rows += batch.length
      partBytes += bytes.byteLength
    }
  } finally {
    await file?.close()
  }
  return { name: table.name, columns: table.columns, rows, parts }
}

interface Making {
  readonly snapshot: Snapshot
  readonly workFolder: string
  readonly kind: BackupKind
  readonly madeAt: Date
  readonly counted: { files: number }
}

async function* entriesOf(deps: BackupDeps, making: Making): AsyncGenerator<Entry> {
  const { snapshot, workFolder, kind, madeAt, counted } = making
  const checksums: string[] = []
  const missing: string[] = []
  function counting({ name, size, content }: Entry): Entry {
    const hash = createHash('sha256')
    async function* read() {
      for await (const chunk of content) {
        hash.update(chunk)
        yield chunk
      }
      checksums.push(`${hash.digest('hex')}  ${name}\n`)
    }
    return { name, size, content: read() }
  }

  for (const part of snapshot.tables.flatMap((table) => table.parts)) {
    const path = join(workFolder, part)
    yield counting({ name: `database/${part}`, size: (await stat(path)).size, content: createReadStream(path) })
    await rm(path)
  }
  for (const key of snapshot.keys) {
    const bytes = await readStored(deps.storage, key)
    if (bytes === null) missing.push(key)
    else {
      counted.files++
      yield counting({ name: `files/${key}`, size: bytes.byteLength, content: [bytes] })
    }
  }

  const list = Buffer.from(checksums.join(''))
  yield { name: 'checksums.txt', size: list.byteLength, content: [list] }
  const manifest: Manifest = {
    format: 1,
    version,
    made_at: madeAt.toISOString(),
    kind,
    migrations: snapshot.migrations,
    tables: snapshot.tables,
    sequences: snapshot.sequences,
    files: counted.files,
    missing_files: missing,
    checksums_sha256: createHash('sha256').update(list).digest('hex'),
  }
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  yield { name: 'manifest.json', size: text.byteLength, content: [text] }
}

/** `null` for a file that was erased after the database was read. Pictures are small enough for the memory. */
async function readStored(storage: Storage, key: string): Promise<Buffer | null> {
  const stream = await storage.get(key)
  if (!stream) return null
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Deletes the files of a backup whose process was killed. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('.partial-')) continue
    const path = join(folder, name)
    const written = (await stat(path).catch(() => null))?.mtimeMs ?? 0
    // Compares with the clock of the file system, which set the time. Earlier versions left folders.
    if (Date.now() - written > leftoverMs) await rm(path, { recursive: true, force: true })
  }
}

/** Writes the folder itself to the disk, so that the new name survives a crash. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
