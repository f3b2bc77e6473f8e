import type { PingId } from '@hither/contract/ids.ts'
import type { Db, Pool, Tx } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statements.ts'
import { type AnnouncedPing, placedColumns } from '../ping-audience.queries.ts'

// Queries over all pings are returned before they run, so that a test can ask the database for their plan.

export async function updatePlaceKeep(pool: Pool, hours: number): Promise<void> {
  await pool`
    update place_erasure set keep = make_interval(hours => ${hours}) where keep <> make_interval(hours => ${hours})`
}

/** A ping with its area. Without a town, the area may be from before every ping had one. */
interface DuePlace {
  readonly id: PingId
  readonly area_latitude: number
  readonly area_longitude: number
  readonly area_address: string | null
}

/** Lists the pings that ended by then and whose exact place is stored, oldest first. */
export function listDuePlaces(db: Db, endedBy: Date, limit: number) {
  return db<DuePlace[]>`
    select id, area_latitude, area_longitude, area_address from location_pins
    where place_erased_at is null and expires_at <= ${endedBy} order by expires_at limit ${limit}`
}

const erased = statement`
  with due as (
    select p.id, t.town
    from unnest(${'pingIds'}::uuid[], ${'towns'}::text[]) as t (id, town) join location_pins p on p.id = t.id
    where p.place_erased_at is null and p.expires_at <= ${'endedBy'}::timestamptz
    for update of p skip locked
  ), known_by as (
    delete from ping_place_known_by k using due where k.ping_id = due.id
  )
  update location_pins p set
    latitude = p.area_latitude, longitude = p.area_longitude, address = due.town, area_address = due.town,
    place_erased_at = ${'now'}
  from due, users o
  where p.id = due.id and o.id = p.user_id
  returning ${placedColumns}, '[]'::json as blocked_pairs, '[]'::json as responses, '[]'::json as guests`

/**
 * Replaces the exact places of those pings that ended by then by their areas with these towns, and deletes who has known them.
 * Returns the pings after it. The caller must lock their owners first.
 */
export function erasePlaces(
  tx: Tx,
  values: { pingIds: readonly PingId[]; towns: readonly (string | null)[]; endedBy: Date; now: Date },
): Promise<AnnouncedPing[]> {
  return erased<AnnouncedPing>(tx, { ...values, towns: values.towns as readonly string[] })
}
