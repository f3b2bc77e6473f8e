import type { ShownPlace } from '@hither/contract/areas.ts'
import type { FoundArea } from '@hither/contract/geo.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { PingRow } from '@hither/contract/pings.ts'
import { areaSizes } from '@hither/contract/runtime/areas.ts'

/** The area as it is stored with a ping. All null while everyone sees the exact place. */
export interface StoredArea {
  readonly area_latitude: number | null
  readonly area_longitude: number | null
  readonly area_address: string | null
}

/** Returns the columns of an area. `null`: everyone sees the exact place, so that no area is stored. */
export function storedAreaOf(area: FoundArea | null): StoredArea {
  return {
    area_latitude: area?.latitude ?? null,
    area_longitude: area?.longitude ?? null,
    area_address: area?.address ?? null,
  }
}

/** A ping with the exact place and the area. Never shown to a user as it is. */
export type PlacedPing = Readonly<Pick<PingRow, 'latitude' | 'longitude' | 'address' | 'exact_place_for' | 'area_km'>> &
  StoredArea

/** Returns the area of a ping in the place of the exact one. Throws for a ping that has none, so that nothing else is sent. */
export function areaPlaceOf({ area_km, area_latitude, area_longitude, area_address }: PlacedPing): ShownPlace {
  if (area_latitude === null || area_longitude === null) throw new Error('The ping has no area')
  return {
    latitude: area_latitude,
    longitude: area_longitude,
    address: area_address,
    place_radius_m: areaSizes[area_km].radiusM,
  }
}

/** Whether a person may know the exact place after each answer, as `mayKnowPlace` decides. */
export interface PlaceByAnswer {
  readonly is_exact_if_going: boolean
  readonly is_exact_otherwise: boolean
}

/** Returns the place that a person may know after an answer. */
export function placeAfter(ping: PlacedPing & PlaceByAnswer, isGoing: boolean): ShownPlace {
  const mayKnow = isGoing ? ping.is_exact_if_going : ping.is_exact_otherwise
  if (!mayKnow) return areaPlaceOf(ping)
  const { latitude, longitude, address } = ping
  return { latitude, longitude, address, place_radius_m: null }
}

/** The people who may not know the exact place of a ping. */
export interface HiddenPlace {
  readonly hidden_place_ids: readonly UserId[]
}

/** A person who was given the exact place by an answer that they have taken back. */
export interface TakenBack {
  /** Null for a guest without account. */
  readonly user_id: UserId | null
  readonly name: string
  /** The time of the answer. */
  readonly at: string
}
