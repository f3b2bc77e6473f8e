import type { DurationMinutes, OwnPing } from '@hither/contract/pings.ts'
import { peopleOf } from '../../circles/circles.rules.ts'
import { shortListText } from '../../i18n/format.ts'
import { type Addressees, durationOf, isShortened } from '../drop-again/drop-again.rules.ts'
import { sendStateOf, type WaitingPing } from '../outbox/outbox.rules.ts'
import type { NewPing } from '../ping-shapes.ts'
import { statusAt } from '../pings.rules.ts'
import { audienceStrings } from '../strings.ts'
import { suggestionStrings as strings } from './strings.ts'

/** A ping to drop again with one tap. */
export interface Suggestion {
  /** Equal for pings with the same name, place and audience. */
  key: string
  /** The newest ping of the group, which has the content. */
  ping: OwnPing
  /** "Close friends", "All friends" or "3 friends". */
  audience: string
  /** The number of people who would receive it; null while it is unknown. */
  friendsCount: number | null
  /** That of the newest ping of the group whose planned duration is known. */
  minutes: DurationMinutes
}

interface Group {
  readonly key: string
  newest: OwnPing
  newestMs: number
  /** The newest ping that was not ended or canceled early; undefined without any. */
  newestWhole: OwnPing | undefined
  count: number
  score: number
  isUnexpired: boolean
}

const dayMs = 86_400_000
const ageMaxMs = 30 * dayMs
const halfLifeDays = 7
const shownMax = 3

/** Returns the groups of the viewer's pings with the highest scores. Recent and frequent pings score higher. */
export function suggestionsOf(
  pings: readonly OwnPing[],
  addressees: Addressees,
  nowMs: number,
  waitingKeys: ReadonlySet<string> = new Set(),
): Suggestion[] {
  return candidatesOf(pings, nowMs)
    .filter(({ key }) => !waitingKeys.has(key))
    .sort((a, b) => b.score - a.score || b.newestMs - a.newestMs)
    .flatMap((group) => suggestionOf(group, addressees) ?? [])
    .slice(0, shownMax)
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
  const audience = { circle_ids: circle_ids ?? [], recipient_ids: recipient_ids ?? [], former_friend_count: 0 }
  return { ...input, invited_all: recipient_ids == null, audience }
}

/** Whether a suggestion is for a circle, so that it cannot be shown before the circles are known. */
export function needsCircles(pings: readonly OwnPing[], nowMs: number): boolean {
  return candidatesOf(pings, nowMs).some(({ newest }) => isForCircles(newest))
}

function candidatesOf(pings: readonly OwnPing[], nowMs: number): Group[] {
  return groupsOf(pings, nowMs).filter(({ count, isUnexpired }) => count >= 2 && !isUnexpired)
}

/** Returns the pings of the last 30 days without public ones, grouped by name, place and audience. */
function groupsOf(pings: readonly OwnPing[], nowMs: number): Group[] {
  const groups = new Map<string, Group>()
  for (const ping of pings) {
    const createdMs = Date.parse(ping.created_at)
    const ageMs = nowMs - createdMs
    if (ping.is_public || ageMs > ageMaxMs) continue
    const key = groupKeyOf(ping)
    let group = groups.get(key)
    if (group === undefined) {
      group = { key, newest: ping, newestMs: createdMs, newestWhole: undefined, count: 0, score: 0, isUnexpired: false }
      groups.set(key, group)
    }
    group.count++
    group.score += scoreOf(ageMs)
    group.isUnexpired ||= statusAt(ping, nowMs) !== 'expired'
    if (!isShortened(ping) && (group.newestWhole?.created_at ?? '') < ping.created_at) group.newestWhole = ping
    if (createdMs > group.newestMs) {
      group.newest = ping
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
  invited_all,
  audience,
}: Pick<OwnPing, 'name' | 'latitude' | 'longitude' | 'invited_all' | 'audience'>): string {
  const people = invited_all ? 'all' : `${sorted(audience.circle_ids)} ${sorted(audience.recipient_ids)}`
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
function suggestionOf({ key, newest, newestWhole = newest }: Group, addressees: Addressees): Suggestion | null {
  if (isForCircles(newest) && addressees.circles === null) return null
  const friendsCount = countOf(newest, addressees)
  if (friendsCount === 0) return null
  return { key, ping: newest, audience: audienceOf(newest, addressees), friendsCount, minutes: durationOf(newestWhole) }
}

function isForCircles({ invited_all, audience }: OwnPing): boolean {
  return !invited_all && audience.circle_ids.length > 0
}

function countOf({ invited_all, audience }: OwnPing, { friendIds, circles }: Addressees): number | null {
  if (invited_all) return friendIds?.size ?? null
  const people = peopleOf(circles ?? [], audience.circle_ids, audience.recipient_ids)
  return [...people].filter((id) => friendIds === null || friendIds.has(id)).length
}

function audienceOf(ping: OwnPing, addressees: Addressees): string {
  const { invited_all, audience } = ping
  if (invited_all) return strings.allFriends
  const named = (addressees.circles ?? []).filter(({ id }) => audience.circle_ids.includes(id))
  if (named.length === 0) return audienceStrings.friends(countOf(ping, addressees) ?? 0)
  const names = shortListText(named.map(({ name }) => name))
  const others = audience.recipient_ids.length
  return others === 0 ? names : strings.and(names, audienceStrings.friends(others))
}
