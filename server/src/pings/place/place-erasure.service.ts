import type { Changes } from '../../events/changes.ts'
import { feeds } from '../../feeds/feeds.ts'
import type { Pool } from '../../platform/db/database.ts'
import { lockPingOwnersShared } from '../../users/user-locks.ts'
import { areaRowOf } from './place-announcements.ts'
import { erasePlaces, listDuePlaces, updatePlaceKeep } from './place-erasure.queries.ts'

export interface PlaceErasureDeps {
  readonly pool: Pool
  readonly changes: Changes
  /** The hours after the end of a ping. */
  readonly placeKeepHours: number
  /** Returns the name of the nearest town, without a request to another server. */
  readonly nearestTown: (latitude: number, longitude: number) => Promise<string | null>
  readonly now: () => Date
}

const hourMs = 3_600_000

/** Stores how long after the end of a ping its exact place is stored, for every read of all nodes. Called before any request. */
export async function storePlaceKeep(pool: Pool, hours: number): Promise<void> {
  await updatePlaceKeep(pool, hours)
}

/**
 * Erases the exact places that are due and announces the area to the owner and the invitees, who must not find the place in
 * the old row either. `updated_at` stays, because nobody has changed the ping. Returns the number of pings that were due.
 */
export async function erasePlaceBatch(
  { pool, changes, placeKeepHours, nearestTown, now }: PlaceErasureDeps,
  limit: number,
): Promise<number> {
  const at = now()
  const endedBy = new Date(at.getTime() - placeKeepHours * hourMs)
  const due = await listDuePlaces(pool, endedBy, limit)
  if (due.length === 0) return 0
  const pingIds = due.map(({ id }) => id)
  // Before the transaction, because the list of towns may have to be read first.
  const towns = await Promise.all(
    due.map(
      ({ area_address, area_latitude, area_longitude }) => area_address ?? nearestTown(area_latitude, area_longitude),
    ),
  )
  await changes.commit(pool, async (tx, announce) => {
    await lockPingOwnersShared(tx, pingIds)
    for (const ping of await erasePlaces(tx, { pingIds, towns, endedBy, now: at }))
      announce.update('location_pins', areaRowOf(ping), { id: ping.id }, feeds.location_pins.audience(ping))
  })
  return due.length
}
