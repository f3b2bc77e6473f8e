import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { archivesAmong, archivesToDelete, type BackupKind, isNightlyDue } from './backups.rules.ts'
import { type BackupDeps, type Taken, takeBackup } from './backups.service.ts'
import { findFirstStart } from './snapshot.queries.ts'
import { createTombstoneCopy } from './tombstones.service.ts'

export interface BackupJobs {
  /** Where backups are off, nothing. */
  start(): void
  /** Lets a run under way finish. */
  stop(): Promise<void>
  /** Makes the nightly one if it is due, and deletes those that were kept long enough; one run at a time. */
  runDue(): Promise<void>
  /** One now, whatever the hour; after the one under way. */
  take(kind: BackupKind): Promise<Taken>
  /** When the newest was made, whichever it is; `null` where there is none. */
  newest(): Promise<Date | null>
}

const everyMs = 60_000
/** A disk that is full stays so for a while, and a backup is work. */
const retryMs = 3_600_000

export function createBackupJobs(deps: BackupDeps): BackupJobs {
  const { settings, log, now, pool } = deps
  const tombstones = createTombstoneCopy(settings.folder, now)
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let last: Promise<unknown> = Promise.resolve()
  let failedAt = Number.NEGATIVE_INFINITY

  /** Two at once would only be in each other's way. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }

  const take = (kind: BackupKind) =>
    inTurn(async () => {
      const taken = await takeBackup(deps, kind)
      await tombstones.update(pool)
      const { bytes, rows, files } = taken
      log.info({ kind, bytes, rows, files }, 'a backup was made')
      return taken
    })

  async function run(): Promise<void> {
    await mkdir(settings.folder, { recursive: true, mode: 0o700 })
    await inTurn(() => tombstones.update(pool))
    const firstStart = await findFirstStart(pool)
    if (firstStart === null || !isNightlyDue(await archivesIn(settings.folder), firstStart, now())) return
    if (now().getTime() - failedAt < retryMs) return
    failedAt = now().getTime()
    await take('nightly')
    failedAt = Number.NEGATIVE_INFINITY
    for (const { name } of archivesToDelete(await archivesIn(settings.folder), settings.keepDays, now()))
      await rm(join(settings.folder, name), { force: true })
  }

  const runDue = () => {
    running ??= run().finally(() => {
      running = null
    })
    return running
  }
  const tick = () => void runDue().catch((error: unknown) => log.error({ err: error }, 'the backup failed'))
  return {
    runDue,
    take,
    async newest() {
      return (await archivesIn(settings.folder)).at(-1)?.madeAt ?? null
    },
    start() {
      if (!settings.isOn) return
      tick()
      timer = setInterval(tick, everyMs)
    },
    async stop() {
      clearInterval(timer)
      await running?.catch(() => undefined)
      await last
    },
  }
}

async function archivesIn(folder: string) {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return archivesAmong(names)
}
