import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from '../platform/db/database.ts'
import { deleteTombstones, isInFuture, listTombstones, type Tombstone } from './tombstones.queries.ts'

/**
 * Longer than a backup should be stored: erasures older than this are deleted, and an older backup would restore the
 * data.
 */
const rememberedDays = 400
const dayMs = 86_400_000

/** A file next to the archives, because a lost database loses its own list. */
export function tombstoneFile(folder: string): string {
  return join(folder, 'tombstones.jsonl')
}

interface TombstoneCopy {
  /** Appends the erasures that the database has and the file lacks. */
  update(pool: Pool): Promise<void>
}

/** Rows become visible a little after their time: the maximum duration of a transaction. */
const overlapMs = 600_000

export function createTombstoneCopy(folder: string, now: () => Date): TombstoneCopy {
  const path = tombstoneFile(folder)
  let copied: Set<string> | null = null
  let newest = ''
  return {
    async update(pool) {
      // If the clock was set back, new rows have older times.
      const isAll = copied === null || newest === '' || (await isInFuture(pool, newest))
      const known = copied === null || isAll ? new Set((await tidy(folder, now())).map(lineOf)) : copied
      const from = isAll ? null : new Date(Date.parse(newest) - overlapMs)
      const rows = await listTombstones(pool, from)
      await append(
        path,
        rows.map(lineOf).filter((line) => !known.has(line)),
      )
      newest = rows.at(-1)?.erased_at ?? newest
      const overlapFrom = new Date(Date.parse(newest || '1970-01-01') - overlapMs).toISOString()
      copied = new Set(rows.filter(({ erased_at }) => erased_at > overlapFrom).map(lineOf))
      await deleteTombstones(pool, new Date(now().getTime() - rememberedDays * dayMs))
    },
  }
}

/** Returns the contents of the file in that folder; `null` if there is none. A line that a crash cut off is skipped. */
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
  const remaining = all.filter(({ erased_at }) => erased_at >= forgotten)
  if (remaining.length === all.length) return remaining
  const next = `${path}.next`
  await writeFile(next, remaining.map((tombstone) => `${lineOf(tombstone)}\n`).join(''), { mode: 0o600, flush: true })
  await rename(next, path)
  return remaining
}

async function append(path: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return
  const file = await open(path, 'a', 0o600)
  try {
    // Starts with a line break, in case a crash cut off the last line.
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
