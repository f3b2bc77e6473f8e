import type { Config } from '../config.ts'
import { sendToLockHolder } from '../platform/data-folder/folder-lock.ts'
import { BackupError } from './backup-error.ts'
import type { BackupJobs } from './backups.jobs.ts'
import type { BackupResult } from './backups.service.ts'

const request = 'backup'

/** The requests over the socket of the data folder's lock, which only processes of the same user can reach. */
export async function handleBackupRequest(app: { backupJobs: BackupJobs } | undefined, asked: string): Promise<string> {
  if (asked !== request) return JSON.stringify({ error: 'Unknown request' })
  if (!app) return JSON.stringify({ error: 'Hither is still starting. Try again in a moment.' })
  try {
    return JSON.stringify({ taken: await app.backupJobs.take('manual') })
  } catch (error) {
    return JSON.stringify({ error: (error as Error).message })
  }
}

/** Asks the server that runs on the built-in database to make the backup; `null` if none runs. */
export async function requestBackup({ dataDir }: Pick<Config, 'dataDir'>): Promise<BackupResult | null> {
  const answer = await sendToLockHolder(dataDir, request)
  if (answer === null) return null
  if (answer === '') throw new BackupError('The running server ended before the backup was made.')
  const { taken, error } = JSON.parse(answer) as { taken?: BackupResult; error?: string }
  if (!taken) throw new BackupError(error ?? answer)
  return taken
}
