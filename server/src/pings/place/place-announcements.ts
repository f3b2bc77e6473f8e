import type { PingRow } from '@hither/contract/pings.ts'
import type { Announce } from '../../events/changes.ts'
import { type Audience, limitAudience } from '../../events/feed-declaration.ts'
import { feeds } from '../../feeds/feeds.ts'
import { rowOf } from '../pings.rules.ts'
import { areaPlaceOf, type HiddenPlace, type StoredArea } from './place.rules.ts'

/** A ping with the exact place, its area, and the invitees to whom only the area is announced. */
export type PlacedRow = PingRow & StoredArea & HiddenPlace

/** A row of the feed, with the people who receive it. */
type RowForPeople = readonly [row: PingRow, audience: Audience<'location_pins'>]

/**
 * Returns the rows in which a ping is announced to this audience: the exact row for those who may know the exact place, the
 * row with the area for all others. A row without people is left out.
 */
export function rowsByPlace(ping: PlacedRow, audience: Audience<'location_pins'>): RowForPeople[] {
  const hidden = limitAudience(audience, ping.hidden_place_ids)
  if (hidden.length === 0) return [[rowOf(ping), audience]]
  const others = limitAudience(
    audience,
    audience.filter((id) => !hidden.includes(id)),
  )
  const rows: RowForPeople[] = [
    [rowOf(ping), others],
    [areaRowOf(ping), hidden],
  ]
  return rows.filter(([, people]) => people.length > 0)
}

/** The row for people who may not know the exact place. */
export function areaRowOf(ping: PingRow & StoredArea): PingRow {
  return { ...rowOf(ping), ...areaPlaceOf(ping) }
}

/**
 * Announces a change of the place of a ping, or of who may know it, to its whole audience. The old row of each person has
 * the exact place only if every recipient of the row might know it before: filters of subscribers are tested against it.
 */
export function announcePlaceChange(
  announce: Announce,
  before: PlacedRow,
  after: PlacedRow & Parameters<typeof feeds.location_pins.audience>[0],
): void {
  for (const [row, people] of rowsByPlace(after, feeds.location_pins.audience(after))) {
    const isExact = row.place_radius_m === null && !people.some((id) => before.hidden_place_ids.includes(id))
    announce.update('location_pins', row, isExact ? rowOf(before) : areaRowOf(before), people)
  }
}
