/** Why it was made; the last word of an archive's name but for its ending. */
export type BackupKind = 'nightly' | 'migration' | 'manual'

export interface ArchiveName {
  readonly name: string
  readonly kind: BackupKind
  readonly madeAt: Date
}

const ending = '.tar.gz'
/** Three in the morning by this machine's clock, when most are asleep. */
const hourOfNight = 3
const dayMs = 86_400_000

/** Such as `hither-20261121T020000123Z-nightly.tar.gz`. */
export function nameOf(kind: BackupKind, madeAt: Date): string {
  return `hither-${madeAt.toISOString().replace(/[-:.]/g, '')}-${kind}${ending}`
}

/** Those among the names of a folder that are archives of ours, oldest first. */
export function archivesAmong(names: readonly string[]): ArchiveName[] {
  return names
    .flatMap((name) => {
      const parts = /^hither-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z-(nightly|migration|manual)\.tar\.gz$/.exec(
        name,
      )
      if (!parts) return []
      const [, year, month, day, hour, minute, second, ms, kind] = parts
      const madeAt = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
      return [{ name, kind: kind as BackupKind, madeAt }]
    })
    .sort((a, b) => a.madeAt.getTime() - b.madeAt.getTime())
}

/** When the latest night before `now` was. */
export function latestNight(now: Date): Date {
  const night = new Date(now)
  night.setHours(hourOfNight, 0, 0, 0)
  if (night > now) night.setDate(night.getDate() - 1)
  return night
}

/** A machine that slept or was off makes up for the night as it wakes. Before its first night a service has nothing to lose. */
export function isNightlyDue(archives: readonly ArchiveName[], firstStartedAt: Date, now: Date): boolean {
  const night = latestNight(now)
  if (firstStartedAt >= night) return false
  return !archives.some(({ kind, madeAt }) => kind === 'nightly' && madeAt >= night)
}

/** Those that were made by themselves and have been kept long enough. What someone asked for is theirs to delete. */
export function archivesToDelete(archives: readonly ArchiveName[], keepDays: number, now: Date): ArchiveName[] {
  const newest = archives.at(-1)
  return archives.filter(
    (archive) =>
      archive !== newest && archive.kind !== 'manual' && now.getTime() - archive.madeAt.getTime() > keepDays * dayMs,
  )
}
