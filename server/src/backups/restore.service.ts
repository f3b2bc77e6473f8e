import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import pg from 'pg'
import { revokeAllLinks } from '../friend-links/friend-links.service.ts'
import { removeEndedBanner } from '../moderation/banner.service.ts'
import { rotateSecret } from '../platform/data-folder/secrets.ts'
import type { Tx } from '../platform/db/database.ts'
import { applyMigrations, assertKnownMigrations } from '../platform/db/migrations.ts'
import { allowLongWork } from '../platform/db/open-database.ts'
import type { Storage } from '../platform/media/storage.ts'
import { type Archive, type ReadEntry, readArchive } from './archive.ts'
import { BackupError, damaged } from './backup-error.ts'
import type { BackupDeps, Manifest, TableDump } from './backups.service.ts'
import { replayErasures } from './replay.service.ts'
import * as queries from './restore.queries.ts'
import { hasTable, listFiles, listMigrations, listTables } from './snapshot.queries.ts'
import { erasePlaces, listTombstones, postponeChats, type Tombstone } from './tombstones.queries.ts'
import { readTombstones } from './tombstones.service.ts'

interface RestoreOptions extends Archive {
  /** Also restores over existing accounts, which are lost. */
  readonly force: boolean
}

export interface Restored {
  readonly madeAt: string
  readonly rows: number
  readonly files: number
  /** The number of items that were erased, blocked or unblocked after the backup. */
  readonly erased: number
  /** The number of accounts that need a new password, because theirs was replaced after the backup. */
  readonly passwords: number
  /** Whether a list of erased items was found in addition to the backup's own. */
  readonly knewErased: boolean
  /** Tables of the backup that do not belong to Hither. Their rows are not restored. */
  readonly foreign: string[]
}

/**
 * Restores database and files, except what was erased since the backup. Throws `BackupError` and changes nothing if the
 * archive is damaged or from a newer version, and if accounts would be overwritten without `force`. Everything happens
 * in one transaction.
 *
 * All sessions end. A backup must not sign in a lost device again whose user has signed out since, and refresh tokens
 * that were used since would look stolen. Access tokens from before the restore are refused too: a new signing key is
 * created, even if an archive of an earlier version contains one.
 */
export async function restoreBackup(deps: BackupDeps, { force, ...archive }: RestoreOptions): Promise<Restored> {
  const { path } = archive
  const { pool, storage, secretsDir } = deps
  const manifest = await verifyArchive(archive)
  const written: string[] = []
  let restored: Restored
  try {
    const restoring = pool.begin(async (tx): Promise<Restored> => {
      await allowLongWork(tx)
      const target = await inspectTarget(tx, force)
      const known = await readTombstoneLists(deps, path)
      await queries.dropEverything(tx)
      const last = manifest.migrations.at(-1)?.name
      if (last !== undefined) await applyMigrations(tx, last)
      const { tables, foreign } = await partitionTables(tx, manifest)
      await queries.deferConstraints(tx)
      for (const { name } of tables) await queries.prepareTable(tx, name)
      let finished: { erased: number; passwords: number; wanted: Set<string> } | null = null
      let files = 0
      // The archive contains the rows first.
      for await (const entry of readArchive(archive)) {
        if (entry.name.startsWith('database/')) {
          await loadPart(tx, tables, entry)
          continue
        }
        finished ??= await completeRestore(tx, deps, { ...manifest, tables }, [...target.tombstones, ...(known ?? [])])
        const key = entry.name.startsWith('files/') ? entry.name.slice('files/'.length) : null
        if (key !== null && finished.wanted.has(key)) {
          await putFile(storage, key, entry, written)
          files++
        }
      }
      const { erased = 0, passwords = 0, wanted = new Set<string>() } = finished ?? {}
      await queries.insertErasures(
        tx,
        target.files.filter((key) => !wanted.has(key)),
      )
      await queries.deleteErasures(tx, [...wanted])
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      const knewErased = known !== null || target.isHither
      return { madeAt: manifest.made_at, rows, files, erased, passwords, knewErased, foreign }
    })
    restored = (await restoring) as Restored
  } catch (error) {
    // No row names these files.
    for (const key of written) await storage.delete(key).catch(() => undefined)
    throw isForged(error) ? damaged(path) : error
  }
  if (secretsDir !== null) await rotateSecret(secretsDir, 'auth')
  return restored
}

/** Reads the whole archive and verifies its checksums. Changes nothing and needs no database. */
export async function verifyArchive(archive: Archive): Promise<Manifest> {
  const { path } = archive
  const sums: string[] = []
  let list: Buffer | null = null
  let manifest: Manifest | null = null
  for await (const entry of readArchive(archive)) {
    // The names of files become names in the storage.
    if (entry.name.startsWith('files/') && !/^files\/\w[\w.-]*$/.test(entry.name)) throw damaged(path)
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

/** Returns `null` for anything but a manifest of this format: the file may come from anywhere. */
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

/** Errors of rows that do not fit the tables: invalid values (22), violated constraints (23), unknown columns (42). */
function isForged(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(?:22|23|42)/.test(error.code ?? '')
}

interface Target {
  readonly isHither: boolean
  readonly tombstones: Tombstone[]
  /** The files that can be deleted once the restored rows are committed. */
  readonly files: string[]
}

async function inspectTarget(tx: Tx, force: boolean): Promise<Target> {
  if ((await queries.countOthers(tx)) > 0)
    throw new BackupError('Another Hither is connected to this database. Stop all of its servers first.')
  if (!(await hasTable(tx, 'migrations'))) {
    if (await queries.hasTables(tx))
      throw new BackupError('The database contains tables of something other than Hither. Give Hither one of its own.')
    return { isHither: false, tombstones: [], files: [] }
  }
  const names = (await listMigrations(tx)).map(({ name }) => name)
  if (names.length > 0 && !force && (await queries.countUsers(tx)) > 0)
    throw new BackupError('There are accounts on this server, which would be gone. To overwrite them, add --force.')
  return {
    isHither: true,
    tombstones: (await hasTable(tx, 'tombstones')) ? await listTombstones(tx, null) : [],
    files: (await hasTable(tx, 'erasures')) ? [...(await listFiles(tx)), ...(await queries.listErasures(tx))] : [],
  }
}

/** The lists of erased items: next to the archive, and in this server's backup folder. */
async function readTombstoneLists({ settings }: BackupDeps, path: string): Promise<Tombstone[] | null> {
  const folders = new Set([dirname(path), settings.folder])
  const lists = await Promise.all([...folders].map(readTombstones))
  const known = lists.filter((list) => list !== null)
  return known.length > 0 ? known.flat() : null
}

async function partitionTables(tx: Tx, manifest: Manifest): Promise<{ tables: TableDump[]; foreign: string[] }> {
  const ours = new Set((await listTables(tx)).map(({ name }) => name))
  return {
    tables: manifest.tables.filter(({ name }) => ours.has(name)),
    foreign: manifest.tables.flatMap(({ name }) => (ours.has(name) ? [] : [name])),
  }
}

const batchRows = 500
const batchBytes = 1024 * 1024

async function loadPart(tx: Tx, tables: readonly TableDump[], entry: ReadEntry): Promise<void> {
  const table = tables.find(({ parts }) => parts.includes(entry.name.slice('database/'.length)))
  if (!table) return
  let rows: string[] = []
  let bytes = 0
  for await (const line of linesOf(entry)) {
    rows.push(line)
    bytes += line.length
    if (rows.length < batchRows && bytes < batchBytes) continue
    await insert(tx, table, rows)
    rows = []
    bytes = 0
  }
  await insert(tx, table, rows)
}

async function insert(tx: Tx, { name, columns }: TableDump, rows: readonly string[]): Promise<void> {
  if (rows.length > 0) await queries.insertRows(tx, name, columns, rows)
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

const hourMs = 3_600_000
/** How long a restored chat is stored whose date has passed. Its members may keep it meanwhile. */
const chatDaysAfterRestore = 7

/** Reads everything between the last row and the first file. Returns which files are still needed. */
async function completeRestore(
  tx: Tx,
  { log, now: clock, placeKeepHours }: BackupDeps,
  manifest: Manifest,
  tombstones: readonly Tombstone[],
) {
  const now = clock()
  await queries.checkConstraints(tx)
  for (const { name } of manifest.tables) await queries.enableTriggers(tx, name)
  for (const { name, last_value } of manifest.sequences)
    if (last_value !== null) await queries.setSequence(tx, name, last_value)
  for (const notice of await applyMigrations(tx, null)) log.warn({ part: 'database' }, notice)
  await queries.endAllSessions(tx, now)
  await queries.deleteSignInSecrets(tx)
  await revokeAllLinks(tx, now)
  await removeEndedBanner(tx, now)
  await queries.deleteImagesOf(tx, manifest.missing_files)
  const replayed = await replayErasures(tx, tombstones, now)
  // Before anybody can read them, as the server would within a minute of its start.
  await erasePlaces(tx, [], new Date(now.getTime() - placeKeepHours * hourMs), now)
  await postponeChats(tx, now, chatDaysAfterRestore)
  return { ...replayed, wanted: await listFiles(tx) }
}

/** All pictures have this type. */
const mediaType = 'image/webp'

async function putFile(storage: Storage, key: string, entry: ReadEntry, written: string[]): Promise<void> {
  const present = await storage.get(key)
  present?.destroy()
  // A key names one content forever.
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
