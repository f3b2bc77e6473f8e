/** Why a backup was made. It is the last part of the archive's name. */
export type BackupKind = 'nightly' | 'migration' | 'manual'

export interface ArchiveName {
  readonly name: string
  readonly kind: BackupKind
  readonly madeAt: Date
  readonly isEncrypted: boolean
}

const encryptedEnding = '.age'
/** Three in the morning by this machine's clock, when most users sleep. */
const hourOfNight = 3
const dayMs = 86_400_000

/** For instance `hither-20261121T020000123Z-nightly.tar.gz`, or `….tar.gz.age` if it is encrypted. */
export function nameOf(kind: BackupKind, madeAt: Date, isEncrypted = false): string {
  return `hither-${madeAt.toISOString().replace(/[-:.]/g, '')}-${kind}.tar.gz${isEncrypted ? encryptedEnding : ''}`
}

/** Returns the names that are archives of Hither, oldest first. */
export function archivesAmong(names: readonly string[]): ArchiveName[] {
  return names
    .flatMap((name) => {
      const parts =
        /^hither-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-(nightly|migration|manual)\.tar\.gz(?:\.age)?$/.exec(
          name,
        )
      if (!parts) return []
      const [, year, month, day, hour, minute, second, ms, kind] = parts
      const madeAt = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
      return [{ name, kind: kind as BackupKind, madeAt, isEncrypted: name.endsWith(encryptedEnding) }]
    })
    .sort((a, b) => a.madeAt.getTime() - b.madeAt.getTime())
}

/** Returns the time of the latest nightly backup before `now`. */
export function latestNight(now: Date): Date {
  const night = new Date(now)
  night.setHours(hourOfNight, 0, 0, 0)
  if (night > now) night.setDate(night.getDate() - 1)
  return night
}

/**
 * A machine that was off or asleep makes the missed backup when it runs again. A service before its first night has
 * none to make up for.
 */
export function isNightlyDue(archives: readonly ArchiveName[], firstStartedAt: Date, now: Date): boolean {
  const night = latestNight(now)
  if (firstStartedAt >= night) return false
  return !archives.some(({ kind, madeAt }) => kind === 'nightly' && madeAt >= night)
}

/** Returns the automatic backups that are older than the retention time. Backups made on request are never deleted. */
export function archivesToDelete(archives: readonly ArchiveName[], keepDays: number, now: Date): ArchiveName[] {
  const newest = archives.at(-1)
  return archives.filter(
    (archive) =>
      archive !== newest && archive.kind !== 'manual' && now.getTime() - archive.madeAt.getTime() > keepDays * dayMs,
  )
}
