import { join } from 'node:path'
import { bech32 } from '@scure/base'
import { absolute, ConfigError, listed, onOff, type ReadSetting, wholeNumber } from './values.ts'

export interface BackupSettings {
  /** Whether a backup is made every night and before each migration of the built-in database. */
  readonly isOn: boolean
  readonly folder: string
  /** The number of days after which automatic backups are deleted. */
  readonly keepDays: number
  /** The public age keys for which backups are encrypted; none: backups are not encrypted. */
  readonly recipients: readonly string[]
}

export function backupsOf(value: ReadSetting, databaseUrl: string | null): BackupSettings {
  return {
    // The operator of a database server is responsible for its backups.
    isOn: onOff('BACKUPS_ENABLED', value('BACKUPS_ENABLED'), databaseUrl === null),
    folder: absolute(value('BACKUP_DIR') ?? join(value('DATA_DIR') ?? 'data', 'backups')),
    keepDays: wholeNumber('BACKUP_KEEP_DAYS', value('BACKUP_KEEP_DAYS'), 14, 1, 3650),
    recipients: recipientsOf(value('BACKUP_RECIPIENT')),
  }
}

const recipientsMax = 4

// The value is never part of a message: it may be a private key.
function recipientsOf(text: string | null): string[] {
  if (text === null) return []
  if (/AGE-SECRET-KEY-/i.test(text))
    throw new ConfigError(
      'BACKUP_RECIPIENT contains a private key. Put the public key (age1…) there and keep the private key off this server.',
    )
  const keys = listed(text)
  if (keys.length >= 1 && keys.length <= recipientsMax && keys.every(isPublicKey)) return keys
  throw new ConfigError(
    `BACKUP_RECIPIENT must be 1 to ${recipientsMax} public keys (age1…) as \`npm run backup-key\` prints them, separated by commas.`,
  )
}

/**
 * An age key for X25519 or, after `age1pq1`, for the post-quantum hybrid. `age-encryption` checks the same, but loading
 * it would delay every start.
 */
function isPublicKey(text: string): boolean {
  const key = bech32.decodeUnsafe(text, false)
  if (!key) return false
  const bytes = bech32.fromWordsUnsafe(key.words)?.length
  return (key.prefix === 'age' && bytes === 32) || (key.prefix === 'age1pq' && bytes === 1216)
}
