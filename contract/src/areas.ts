import { type Static, Type } from 'typebox'
import type { areaSizes } from './runtime/areas.ts'
import { nullable, oneOf } from './values.ts'

/**
 * Who sees the exact place of a ping: everyone who sees the ping; the invitees; or the invitees and the approved guests who
 * answered that they are going. All others see an area.
 */
export const ExactPlaceFor = oneOf(['everyone', 'invited', 'going'])
export type ExactPlaceFor = Static<typeof ExactPlaceFor>

/** The radius of the area in kilometers. */
export type AreaKm = keyof typeof areaSizes
export const AreaKm = Type.Unsafe<AreaKm>({ type: 'integer', enum: [1, 5] })

/** The radius of the area in meters. Null if the place is exact. */
type PlaceRadius = (typeof areaSizes)[AreaKm]['radiusM'] | null
const PlaceRadius = Type.Unsafe<PlaceRadius>({ type: ['integer', 'null'], enum: [1000, 5000, null] })

/** The place of a ping as one viewer may know it: exact, or the center of the area with its nearest town. */
export const ShownPlace = Type.Object({
  latitude: Type.Number(),
  longitude: Type.Number(),
  address: nullable(Type.String()),
  place_radius_m: PlaceRadius,
})
export type ShownPlace = Static<typeof ShownPlace>
