import type { AreaKm, ShownPlace } from '@hither/contract/areas.ts'
import type { FoundArea } from '@hither/contract/geo.ts'
import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { ResponseType } from '@hither/contract/pings.ts'
import type { Announce } from '../../events/changes.ts'
import { limitAudience } from '../../events/feed-declaration.ts'
import { feeds } from '../../feeds/feeds.ts'
import type { Db, Tx } from '../../platform/db/database.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { rowOf } from '../pings.rules.ts'
import * as queries from './place.queries.ts'
import { placeAfter, type TakenBack } from './place.rules.ts'
import { areaRowOf } from './place-announcements.ts'

export interface AreaDeps {
  /** Returns the area of a place with its town, without a request to another server. */
  readonly findArea: (latitude: number, longitude: number, areaKm: AreaKm) => Promise<FoundArea>
}

interface PlaceSettings {
  readonly latitude: number
  readonly longitude: number
  readonly area_km?: AreaKm | undefined
}

/** Returns the area to store with a ping. */
export function findAreaFor({ findArea }: AreaDeps, ping: PlaceSettings): Promise<FoundArea> {
  const { latitude, longitude, area_km = 1 } = ping
  return findArea(latitude, longitude, area_km)
}

/**
 * Announces the place to an invitee who may know it from now on, or no longer, because of their answer. Returns the place
 * after the answer if it depends on the answer. Joins the transaction of the answer, with
 * the audience of the ping locked. `null`: no answer.
 */
export async function announcePlaceAfterAnswer(
  tx: Tx,
  announce: Announce,
  ping: { id: PingId; user_id: UserId; is_place_by_answer: boolean; invitee_ids: readonly UserId[] },
  answer: { userId: UserId; before: ResponseType | null; after: ResponseType | null },
  now: Date,
): Promise<ShownPlace | undefined> {
  if (!ping.is_place_by_answer) return undefined
  const placed = await queries.findForInvitee(tx, ping.id, now)
  if (!placed) throw new Refusal('ping_not_found')
  const before = placeAfter(placed, answer.before === 'accepted')
  const after = placeAfter(placed, answer.after === 'accepted')
  if (before.place_radius_m !== after.place_radius_m) {
    const audience = limitAudience(feeds.location_pins.audience(ping), [answer.userId])
    announce.update('location_pins', { ...rowOf(placed), ...after }, areaRowOf(placed), audience)
  }
  return after
}

/** Returns the invitee if they were given the exact place since then by an answer that is gone. */
export async function findTakenBack(
  db: Db,
  pingId: PingId,
  since: string,
  inviteeId: UserId,
): Promise<TakenBack | undefined> {
  return (await queries.listTakenBack(db, pingId, since, inviteeId))[0]
}

/** Lists the guests who were given the exact place since then by an answer that they have taken back. */
export function listTakenBackByGuests(db: Db, pingId: PingId, since: string): Promise<TakenBack[]> {
  return queries.listTakenBack(db, pingId, since, null)
}
