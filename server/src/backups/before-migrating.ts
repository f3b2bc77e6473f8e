import { type Config } from '../config.ts'
import { isOutdated } from '../platform/migrations.ts'
import { BackupError } from './archive.ts'
import { type BackupDeps, backupDepsOf, takeBackup } from './backups.service.ts'

/** Of the built-in database: where a migration goes wrong later, this is the way back. Without one the server does not start. */
export async function backUpBeforeMigrating(
  config: Config,
  rest: Pick<BackupDeps, 'pool' | 'log' | 'now'>,
): Promise<void> {
  if (config.databaseUrl !== null || !config.backups.isOn || !(await isOutdated(rest.pool))) return
  try {
    const { path } = await takeBackup(backupDepsOf(config, rest), 'migration')
    rest.log.info({ path }, 'a backup was made before the database is brought up to date')
  } catch (error) {
    throw new BackupError(
      `The backup before the update of the database failed (${(error as Error).message}). To start without one, set BACKUPS=off.`,
    )
  }
}
