import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createJob, type Job } from '../platform/async/job.ts'
import { archivesAmong, archivesToDelete, type BackupKind, isNightlyDue } from './backups.rules.ts'
import { type BackupDeps, type BackupResult, takeBackup } from './backups.service.ts'
import { findFirstStart } from './snapshot.queries.ts'
import { createTombstoneCopy } from './tombstones.service.ts'

/** Makes the nightly backup if it is due, and deletes expired ones. The schedule starts only if backups are on. */
export interface BackupJobs extends Job {
  /** Makes a backup now, after the current run. */
  take(kind: BackupKind): Promise<BackupResult>
  /** Returns when the newest backup was made; `null` if there is none. */
  newest(): Promise<Date | null>
}

const everyMs = 60_000
/** The delay after a failed backup: a full disk stays full for a while, and a backup is expensive. */
const retryMs = 3_600_000

export function createBackupJobs(deps: BackupDeps): BackupJobs {
  const { settings, log, now, pool } = deps
  const tombstones = createTombstoneCopy(settings.folder, now)
  let last: Promise<unknown> = Promise.resolve()
  let failedAt = Number.NEGATIVE_INFINITY

  /** Backups run one at a time, because two would slow each other down. */
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }

  const take = (kind: BackupKind) =>
    inOrder(async () => {
      const result = await takeBackup(deps, kind)
      await tombstones.update(pool)
      const { bytes, rows, files } = result
      log.info({ kind, bytes, rows, files }, 'backup completed')
      return result
    })

  async function run(): Promise<void> {
    await mkdir(settings.folder, { recursive: true, mode: 0o700 })
    await inOrder(() => tombstones.update(pool))
    const firstStart = await findFirstStart(pool)
    if (firstStart === null || !isNightlyDue(await archivesIn(settings.folder), firstStart, now())) return
    if (now().getTime() - failedAt < retryMs) return
    failedAt = now().getTime()
    await take('nightly')
    failedAt = Number.NEGATIVE_INFINITY
    for (const { name } of archivesToDelete(await archivesIn(settings.folder), settings.keepDays, now()))
      await rm(join(settings.folder, name), { force: true })
  }

  const job = createJob({ everyMs, failure: 'backup failed', log, run })
  return {
    runDue: job.runDue,
    take,
    async newest() {
      return (await archivesIn(settings.folder)).at(-1)?.madeAt ?? null
    },
    start() {
      if (settings.isOn) job.start()
    },
    async stop() {
      await job.stop()
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
