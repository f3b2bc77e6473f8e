import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createJob, type Job } from '../platform/async/job.ts'
import { makeFolder } from '../platform/data-folder/make-folder.ts'
import { archivesToDelete, type BackupKind, isNightlyDue } from './backups.rules.ts'
import { type BackupDeps, type BackupResult, takeBackup } from './backups.service.ts'
import { archivesIn } from './newest-archive.ts'
import { findFirstStart } from './snapshot.queries.ts'
import { createTombstoneCopy } from './tombstones.service.ts'

/**
 * Makes the nightly backup if it is due and backups are on, deletes expired ones, and copies the erasures next to the archives.
 */
export interface BackupJobs extends Job {
  /** Makes a backup now, after the current run. */
  take(kind: BackupKind): Promise<BackupResult>
  /** Returns when the newest backup was made; `null` if there is none. */
  newest(): Promise<Date | null>
  /** Copies the last erasures, once no request runs any more. Does nothing if the schedule was not started. */
  finish(): Promise<void>
}

const everyMs = 60_000
/** The delay after a failed backup: a full disk stays full for a while, and a backup is expensive. */
const retryMs = 3_600_000

export function createBackupJobs(deps: BackupDeps): BackupJobs {
  const { settings, log, now, pool } = deps
  const tombstones = createTombstoneCopy(settings.folder, now)
  let last: Promise<unknown> = Promise.resolve()
  let failedAt = Number.NEGATIVE_INFINITY
  let isStarted = false

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

  const newest = async () => (await archivesIn(settings.folder)).at(-1)?.madeAt ?? null

  /** Backups that are made by hand need the erasures too. */
  async function copyErasures(): Promise<void> {
    if (!settings.isOn && (await newest()) === null) return
    await makeFolder(settings.folder)
    await inOrder(() => tombstones.update(pool))
  }

  async function run(): Promise<void> {
    await copyErasures()
    if (!settings.isOn) return
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
    newest,
    start() {
      isStarted = true
      job.start()
    },
    async stop() {
      await job.stop()
      await last
    },
    async finish() {
      if (isStarted) await copyErasures()
    },
  }
}
