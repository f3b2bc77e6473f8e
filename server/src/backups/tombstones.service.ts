import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Db } from '../platform/database.ts'
import { deleteTombstones, isToCome, listTombstones, type Tombstone } from './tombstones.queries.ts'

/**
 * Longer than anybody should keep a backup: after it, what was erased is remembered by nobody, and an older backup would
 * bring it back.
 */
export const rememberedDays = 400
const dayMs = 86_400_000

/** Stands beside the archives: a database that is lost takes its own list with it. */
export function tombstoneFile(folder: string): string {
  return join(folder, 'tombstones.jsonl')
}

export interface TombstoneCopy {
  /** Adds to the file what the database has and the file has not. */
  update(db: Db): Promise<void>
}

/** Rows become visible a little after the time they bear: as long as a transaction may last. */
const overlapMs = 600_000

export function createTombstoneCopy(folder: string, now: () => Date): TombstoneCopy {
  const path = tombstoneFile(folder)
  let copied: Set<string> | null = null
  let newest = ''
  return {
    async update(db) {
      // Once that clock was set back, what is new bears an older time.
      const isAll = copied === null || newest === '' || (await isToCome(db, newest))
      const known = copied === null || isAll ? new Set((await tidy(folder, now())).map(lineOf)) : copied
      const from = isAll ? null : new Date(Date.parse(newest) - overlapMs)
      const rows = await listTombstones(db, from)
      await append(
        path,
        rows.map(lineOf).filter((line) => !known.has(line)),
      )
      newest = rows.at(-1)?.erased_at ?? newest
      const overlapFrom = new Date(Date.parse(newest || '1970-01-01') - overlapMs).toISOString()
      copied = new Set(rows.filter(({ erased_at }) => erased_at > overlapFrom).map(lineOf))
      await deleteTombstones(db, new Date(now().getTime() - rememberedDays * dayMs))
    },
  }
}

/** What the file of that folder remembers; `null` where there is none. A line that a crash cut off is passed over. */
export async function readTombstones(folder: string): Promise<Tombstone[] | null> {
  let text: string
  try {
    text = await readFile(tombstoneFile(folder), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  return text.split('\n').flatMap((line) => {
    const tombstone = line === '' ? null : parse(line)
    return tombstone ? [tombstone] : []
  })
}

async function tidy(folder: string, now: Date): Promise<Tombstone[]> {
  const path = tombstoneFile(folder)
  const all = (await readTombstones(folder)) ?? []
  const forgotten = new Date(now.getTime() - rememberedDays * dayMs).toISOString()
  const kept = all.filter(({ erased_at }) => erased_at >= forgotten)
  if (kept.length === all.length) return kept
  const next = `${path}.next`
  await writeFile(next, kept.map((tombstone) => `${lineOf(tombstone)}\n`).join(''), { mode: 0o600, flush: true })
  await rename(next, path)
  return kept
}

async function append(path: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  const file = await open(path, 'a', 0o600)
  try {
    // First an end to a line that a crash cut off.
    await file.write(`\n${lines.join('\n')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

function lineOf({ kind, id_hash, erased_at }: Tombstone): string {
  return JSON.stringify({ kind, id_hash, erased_at })
}

function parse(line: string): Tombstone | null {
  try {
    const value = JSON.parse(line) as Partial<Tombstone>
    const { kind, id_hash, erased_at } = value
    return typeof kind === 'string' && typeof id_hash === 'string' && typeof erased_at === 'string'
      ? { kind, id_hash, erased_at }
      : null
  } catch {
    return null
  }
}
