import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import pg from 'pg'
import { allowLongWork, type Db } from '../platform/database.ts'
import { applyMigrations, assertKnownMigrations } from '../platform/migrations.ts'
import { rotateSecret } from '../platform/secrets.ts'
import { type Storage } from '../platform/storage.ts'
import { BackupError, damaged, type ReadEntry, readArchive } from './archive.ts'
import { type BackupDeps, type Manifest, type TableDump } from './backups.service.ts'
import { replayErasures } from './replay.service.ts'
import * as queries from './restore.queries.ts'
import { isThere, listFiles, listMigrations, listTables } from './snapshot.queries.ts'
import { listTombstones, type Tombstone } from './tombstones.queries.ts'
import { readTombstones } from './tombstones.service.ts'

export interface RestoreOptions {
  readonly path: string
  /** Also where there are accounts, which are gone after it. */
  readonly force: boolean
}

export interface Restored {
  readonly madeAt: string
  readonly rows: number
  readonly files: number
  /** What had been erased since. */
  readonly erased: number
  /** Whether there was a list of that, other than the backup's own. */
  readonly knewErased: boolean
  /** Tables in the backup that are none of Hither's: their rows stay in it. */
  readonly foreign: string[]
}

/**
 * Brings database and files to where they were, but for what was erased since. Throws `BackupError`, with nothing changed,
 * where the archive is damaged or from a newer version, and where it would overwrite what is there without being told to.
 * The database is as it was until everything is there: one transaction.
 *
 * All sessions end. Who signed out since, on a device that was lost, must not be signed in again by a backup; and tokens
 * that were renewed since would look like stolen ones. Access tokens from before are refused too: the signing key is a new
 * one, also where an archive of an earlier version holds one.
 */
export async function restoreBackup(deps: BackupDeps, { path, force }: RestoreOptions): Promise<Restored> {
  const { pool, storage, secretsDir, now } = deps
  const manifest = await verifyArchive(path)
  const written: string[] = []
  let restored: Restored
  try {
    const restoring = pool.begin(async (db): Promise<Restored> => {
      await allowLongWork(db)
      const target = await lookAt(db, force)
      const known = await readKnown(deps, path)
      await queries.dropEverything(db)
      const last = manifest.migrations.at(-1)?.name
      if (last !== undefined) await applyMigrations(db, last)
      const { tables, foreign } = await sortOut(db, manifest)
      for (const { name } of tables) await queries.prepareTable(db, name)
      let finished: { erased: number; wanted: Set<string> } | null = null
      let files = 0
      // The archive holds the rows first.
      for await (const entry of readArchive(path)) {
        if (entry.name.startsWith('database/')) {
          await loadPart(db, tables, entry)
          continue
        }
        finished ??= await finish(db, { ...manifest, tables }, [...target.tombstones, ...(known ?? [])], now())
        const key = entry.name.startsWith('files/') ? entry.name.slice('files/'.length) : null
        if (key !== null && finished.wanted.has(key)) {
          await putFile(storage, key, entry, written)
          files++
        }
      }
      const { erased = 0, wanted = new Set<string>() } = finished ?? {}
      await queries.insertErasures(
        db,
        target.files.filter((key) => !wanted.has(key)),
      )
      await queries.deleteErasures(db, [...wanted])
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      const knewErased = known !== null || target.isHither
      return { madeAt: manifest.made_at, rows, files, erased, knewErased, foreign }
    })
    restored = (await restoring) as Restored
  } catch (error) {
    // No row names them.
    for (const key of written) await storage.delete(key).catch(() => undefined)
    throw isForged(error) ? damaged(path) : error
  }
  if (secretsDir !== null) await rotateSecret(secretsDir, 'auth')
  return restored
}

/** Reads it all, and holds it against its checksums. */
export async function verifyArchive(path: string): Promise<Manifest> {
  const sums: string[] = []
  let list: Buffer | null = null
  let manifest: Manifest | null = null
  for await (const entry of readArchive(path)) {
    const isText = entry.name === 'checksums.txt' || entry.name === 'manifest.json'
    const bytes = isText ? await readAll(entry) : await skip(entry)
    if (entry.name === 'checksums.txt') list = bytes
    else if (entry.name === 'manifest.json') manifest = parseManifest(String(bytes))
    else sums.push(`${entry.sha256()}  ${entry.name}\n`)
  }
  if (!manifest || !list || manifest.format !== 1) throw damaged(path)
  const isWhole =
    list.toString('utf8') === sums.join('') &&
    createHash('sha256').update(list).digest('hex') === manifest.checksums_sha256
  if (!isWhole) throw damaged(path)
  try {
    await assertKnownMigrations(manifest.migrations)
  } catch {
    throw new BackupError(
      `The backup ${path} was made by Hither ${manifest.version}, whose database this version does not know. Use that version or a newer one.`,
    )
  }
  return manifest
}

/** `null` for anything but a manifest of this format: the file may come from anywhere. */
function parseManifest(text: string): Manifest | null {
  let manifest: unknown
  try {
    manifest = JSON.parse(text)
  } catch {
    return null
  }
  return isManifest(manifest) ? manifest : null
}

function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false
  const { format, version, made_at, migrations, tables, sequences, missing_files, checksums_sha256 } = value as Record<
    string,
    unknown
  >
  const areObjects = (list: unknown, fits: (item: Record<string, unknown>) => boolean) =>
    Array.isArray(list) && list.every((item) => typeof item === 'object' && item !== null && fits(item))
  const areStrings = (list: unknown) => Array.isArray(list) && list.every((item) => typeof item === 'string')
  return (
    format === 1 &&
    [version, made_at, checksums_sha256].every((text) => typeof text === 'string') &&
    areObjects(migrations, ({ name, checksum }) => typeof name === 'string' && typeof checksum === 'string') &&
    areObjects(
      tables,
      ({ name, columns, rows, parts }) =>
        typeof name === 'string' && areStrings(columns) && typeof rows === 'number' && areStrings(parts),
    ) &&
    areObjects(sequences, ({ name }) => typeof name === 'string') &&
    areStrings(missing_files)
  )
}

/** Rows that the tables of Hither do not take: wrong values (22), broken constraints (23), unknown columns (42). */
function isForged(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(?:22|23|42)/.test(error.code ?? '')
}

interface Target {
  readonly isHither: boolean
  readonly tombstones: Tombstone[]
  /** Those that may go once the restored rows are there. */
  readonly files: string[]
}

async function lookAt(db: Db, force: boolean): Promise<Target> {
  if ((await queries.countOthers(db)) > 0)
    throw new BackupError('Another Hither is connected to this database. Stop all of its servers first.')
  if (!(await isThere(db, 'migrations'))) {
    if (await queries.hasTables(db))
      throw new BackupError('The database holds tables of something other than Hither. Give Hither one of its own.')
    return { isHither: false, tombstones: [], files: [] }
  }
  const names = (await listMigrations(db)).map(({ name }) => name)
  if (names.length > 0 && !force && (await queries.countUsers(db)) > 0)
    throw new BackupError('There are accounts on this server, which would be gone. To overwrite them, add --force.')
  return {
    isHither: true,
    tombstones: (await isThere(db, 'tombstones')) ? await listTombstones(db, null) : [],
    files: (await isThere(db, 'erasures')) ? [...(await listFiles(db)), ...(await queries.listErasures(db))] : [],
  }
}

/** What lies beside the archive, and where this server keeps its own. */
async function readKnown({ settings }: BackupDeps, path: string): Promise<Tombstone[] | null> {
  const folders = new Set([dirname(path), settings.folder])
  const lists = await Promise.all([...folders].map(readTombstones))
  const known = lists.filter((list) => list !== null)
  return known.length > 0 ? known.flat() : null
}

async function sortOut(db: Db, manifest: Manifest): Promise<{ tables: TableDump[]; foreign: string[] }> {
  const ours = new Set((await listTables(db)).map(({ name }) => name))
  return {
    tables: manifest.tables.filter(({ name }) => ours.has(name)),
    foreign: manifest.tables.flatMap(({ name }) => (ours.has(name) ? [] : [name])),
  }
}

const batchRows = 500
const batchBytes = 1024 * 1024

async function loadPart(db: Db, tables: readonly TableDump[], entry: ReadEntry): Promise<void> {
  const table = tables.find(({ parts }) => parts.includes(entry.name.slice('database/'.length)))
  if (!table) return
  let rows: string[] = []
  let bytes = 0
  for await (const line of linesOf(entry)) {
    rows.push(line)
    bytes += line.length
    if (rows.length < batchRows && bytes < batchBytes) continue
    await insert(db, table, rows)
    rows = []
    bytes = 0
  }
  await insert(db, table, rows)
}

async function insert(db: Db, { name, columns }: TableDump, rows: readonly string[]): Promise<void> {
  if (rows.length > 0) await queries.insertRows(db, name, columns, rows)
}

async function* linesOf({ content }: ReadEntry): AsyncGenerator<string> {
  let rest: Buffer[] = []
  for await (const chunk of content) {
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)]).toString('utf8')
      rest = []
      from = end + 1
    }
    if (from < chunk.byteLength) rest.push(Buffer.from(chunk.subarray(from)))
  }
}

/** Everything between the last row and the first file. Answers which files are still wanted. */
async function finish(db: Db, manifest: Manifest, tombstones: readonly Tombstone[], now: Date) {
  for (const { name } of manifest.tables) await queries.enableTriggers(db, name)
  for (const { name, last_value } of manifest.sequences)
    if (last_value !== null) await queries.setSequence(db, name, last_value)
  await applyMigrations(db, null)
  await queries.endAllSessions(db, now)
  await queries.deleteImagesOf(db, manifest.missing_files)
  const erased = await replayErasures(db, tombstones, now)
  return { erased, wanted: await listFiles(db) }
}

/** All of Hither's pictures are of this type. */
const mediaType = 'image/webp'

async function putFile(storage: Storage, key: string, entry: ReadEntry, written: string[]): Promise<void> {
  const present = await storage.get(key)
  present?.destroy()
  // A name is of one content for ever.
  if (present) return
  written.push(key)
  await storage.put(key, await readAll(entry), mediaType)
}

async function readAll({ content }: ReadEntry): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function skip({ content }: ReadEntry): Promise<Buffer> {
  for await (const _ of content);
  return Buffer.alloc(0)
}
