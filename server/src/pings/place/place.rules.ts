import type { ShownPlace } from '@hither/contract/areas.ts'
import type { FoundArea } from '@hither/contract/geo.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { PingRow } from '@hither/contract/pings.ts'
import { areaSizes } from '@hither/contract/runtime/areas.ts'

/** The area as it is stored with a ping, with the nearest town if there is one. */
export interface StoredArea {
  readonly area_latitude: number
  readonly area_longitude: number
  readonly area_address: string | null
}

/** Returns the columns of an area. */
export function storedAreaOf({ latitude, longitude, address }: FoundArea): StoredArea {
  return { area_latitude: latitude, area_longitude: longitude, area_address: address }
}

/** A ping with the exact place and the area. Never shown to a user as it is. */
export type PlacedPing = Readonly<Pick<PingRow, 'latitude' | 'longitude' | 'address' | 'exact_place_for' | 'area_km'>> &
  StoredArea

/** Returns the area of a ping in the place of the exact one. */
export function areaPlaceOf({ area_km, area_latitude, area_longitude, area_address }: PlacedPing): ShownPlace {
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
