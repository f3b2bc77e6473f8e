import type { OwnPing } from '@hither/contract/pings.ts'
import { peopleOf } from '../../circles/circles.rules.ts'
import { shortListText } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import type { Addressees } from '../drop-again/drop-again.rules.ts'
import { sendStateOf, type WaitingPing } from '../outbox/outbox.rules.ts'
import { type PinRecord, recordOf } from '../pin-records/pin-records.rules.ts'
import type { NewPing } from '../ping-shapes.ts'
import { statusAt } from '../pings.rules.ts'

/** A ping to drop again with one tap. */
export interface Suggestion {
  /** Equal for pings with the same name, place and audience. */
  key: string
  /** That of the newest ping of the group, which has the content. */
  record: PinRecord
  /** "Close friends", "All friends" or "3 friends". */
  audience: string
  /** The number of people who would receive it; null while it is unknown. */
  friendsCount: number | null
}

interface Group {
  readonly key: string
  newest: PinRecord
  newestMs: number
  count: number
  score: number
}

const dayMs = 86_400_000
const ageMaxMs = 30 * dayMs
const halfLifeDays = 7
const shownMax = 3

/**
 * Returns the groups of the viewer's pings with the highest scores. Recent and frequent pings score higher. `hiddenKeys` are
 * those of `unexpiredKeysOf` and `waitingKeysOf`.
 */
export function suggestionsOf(
  records: readonly PinRecord[],
  addressees: Addressees,
  nowMs: number,
  hiddenKeys: ReadonlySet<string> = new Set(),
): Suggestion[] {
  return candidatesOf(records, nowMs)
    .filter(({ key }) => !hiddenKeys.has(key))
    .sort((a, b) => b.score - a.score || b.newestMs - a.newestMs)
    .flatMap((group) => suggestionOf(group, addressees) ?? [])
    .slice(0, shownMax)
}

/** Returns the keys of the groups that have an active or a scheduled ping. */
export function unexpiredKeysOf(pings: readonly OwnPing[], nowMs: number): ReadonlySet<string> {
  const unexpired = pings.filter((ping) => statusAt(ping, nowMs) !== 'expired')
  return new Set(unexpired.map((ping) => groupKeyOf(recordOf(ping))))
}

/**
 * Returns the keys of the groups that have a ping that waits to be sent. One that can be undone or is being sent does not count:
 * its suggestion stays, with a button that does nothing.
 */
export function waitingKeysOf(waiting: readonly WaitingPing[], nowMs: number): ReadonlySet<string> {
  const unsent = waiting.filter((ping) => ping.send_after === undefined && sendStateOf(ping, nowMs) === 'waiting')
  return new Set(unsent.flatMap(({ button, input }) => [groupKeyOf(addressedBy(input)), ...(button ? [button] : [])]))
}

function addressedBy({ recipient_ids, circle_ids, ...input }: NewPing) {
  const people = { circle_ids: circle_ids ?? [], recipient_ids: recipient_ids ?? [], former_friend_count: 0 }
  return { ...input, audience: { ...people, invited_all: recipient_ids == null } }
}

/** Whether a suggestion is for a circle, so that it cannot be shown before the circles are known. */
export function needsCircles(records: readonly PinRecord[], nowMs: number): boolean {
  return candidatesOf(records, nowMs).some(({ newest }) => isForCircles(newest))
}

function candidatesOf(records: readonly PinRecord[], nowMs: number): Group[] {
  return groupsOf(records, nowMs).filter(({ count }) => count >= 2)
}

/** Returns the pings of the last 30 days without public ones, grouped by name, place and audience. */
function groupsOf(records: readonly PinRecord[], nowMs: number): Group[] {
  const groups = new Map<string, Group>()
  for (const record of records) {
    const createdMs = Date.parse(record.created_at)
    const ageMs = nowMs - createdMs
    if (record.is_public || ageMs > ageMaxMs) continue
    const key = groupKeyOf(record)
    let group = groups.get(key)
    if (group === undefined) {
      group = { key, newest: record, newestMs: createdMs, count: 0, score: 0 }
      groups.set(key, group)
    }
    group.count++
    group.score += scoreOf(ageMs)
    if (createdMs > group.newestMs) {
      group.newest = record
      group.newestMs = createdMs
    }
  }
  return [...groups.values()]
}

/** Halves with every seven days. The clock of this device may be behind the server's. */
export function scoreOf(ageMs: number): number {
  return 2 ** (-Math.max(0, ageMs) / dayMs / halfLifeDays)
}

export function groupKeyOf({
  name,
  latitude,
  longitude,
  audience,
}: Pick<PinRecord, 'name' | 'latitude' | 'longitude' | 'audience'>): string {
  const people = audience.invited_all ? 'all' : `${sorted(audience.circle_ids)} ${sorted(audience.recipient_ids)}`
  return `${rounded(latitude)} ${rounded(longitude)} ${people} ${name.trim().toLowerCase()}`
}

function sorted(ids: readonly string[]): string {
  return ids.length < 2 ? (ids[0] ?? '') : [...ids].sort().join()
}

/** Three decimals, about 100 m. */
function rounded(degrees: number): number {
  return Math.round(degrees * 1000)
}

/** Returns null if nobody would receive the ping, or if it is unknown who would. */
function suggestionOf({ key, newest }: Group, addressees: Addressees): Suggestion | null {
  if (isForCircles(newest) && addressees.circles === null) return null
  const friendsCount = countOf(newest.audience, addressees)
  if (friendsCount === 0) return null
  return { key, record: newest, audience: audienceOf(newest.audience, addressees), friendsCount }
}

function isForCircles({ audience }: PinRecord): boolean {
  return !audience.invited_all && audience.circle_ids.length > 0
}

function countOf(audience: PinRecord['audience'], { friendIds, circles }: Addressees): number | null {
  if (audience.invited_all) return friendIds?.size ?? null
  const people = peopleOf(circles ?? [], audience.circle_ids, audience.recipient_ids)
  return [...people].filter((id) => friendIds === null || friendIds.has(id)).length
}

function audienceOf(audience: PinRecord['audience'], addressees: Addressees): string {
  if (audience.invited_all) return t('pings.suggestion.allFriends')
  const named = (addressees.circles ?? []).filter(({ id }) => audience.circle_ids.includes(id))
  if (named.length === 0) return t('pings.audience.friends', { count: countOf(audience, addressees) ?? 0 })
  const names = shortListText(named.map(({ name }) => name))
  const others = audience.recipient_ids.length
  return others === 0
    ? names
    : t('pings.suggestion.and', { circles: names, people: t('pings.audience.friends', { count: others }) })
}
