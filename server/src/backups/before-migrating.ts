import type { Config } from '../config.ts'
import { isOutdated } from '../platform/db/migrations.ts'
import { BackupError } from './backup-error.ts'
import { type BackupDeps, backupDepsOf, takeBackup } from './backups.service.ts'

/**
 * Backs up the built-in database before a migration, so that a failed upgrade can be reverted. The server does not
 * start if the backup fails.
 */
export async function backUpBeforeMigrating(
  config: Config,
  rest: Pick<BackupDeps, 'pool' | 'log' | 'now'>,
): Promise<void> {
  if (config.databaseUrl !== null || !config.backups.isOn || !(await isOutdated(rest.pool))) return
  try {
    const { path } = await takeBackup(backupDepsOf(config, rest), 'migration')
    rest.log.info({ path }, 'backup before migration completed')
  } catch (error) {
    throw new BackupError(
      `The backup before the update of the database failed (${(error as Error).message}). To start without one, set BACKUPS_ENABLED=off.`,
    )
  }
}
