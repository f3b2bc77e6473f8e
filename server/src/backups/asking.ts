import { type Config } from '../config.ts'
import { askHolder } from '../platform/folder-lock.ts'
import { BackupError } from './archive.ts'
import { type BackupJobs } from './backups.jobs.ts'
import { type Taken } from './backups.service.ts'

const request = 'backup'

/** What is said over the lock of the data folder, which only processes of the same user reach. */
export async function answerBackup(app: { backupJobs: BackupJobs } | undefined, asked: string): Promise<string> {
  if (asked !== request) return JSON.stringify({ error: 'Unknown request' })
  if (!app) return JSON.stringify({ error: 'Hither is still starting. Try again in a moment.' })
  try {
    return JSON.stringify({ taken: await app.backupJobs.take('manual') })
  } catch (error) {
    return JSON.stringify({ error: (error as Error).message })
  }
}

/** The built-in database belongs to the server that runs on it, so that one makes the backup; `null` if none runs. */
export async function askForBackup({ dataDir }: Pick<Config, 'dataDir'>): Promise<Taken | null> {
  const answer = await askHolder(dataDir, request)
  if (answer === null) return null
  if (answer === '') throw new BackupError('The running server ended before the backup was made.')
  const { taken, error } = JSON.parse(answer) as { taken?: Taken; error?: string }
  if (!taken) throw new BackupError(error ?? answer)
  return taken
}
