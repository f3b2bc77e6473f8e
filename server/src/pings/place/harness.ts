import type { ExactPlaceFor, ShownPlace } from '@hither/contract/areas.ts'
import { findArea } from '@hither/contract/geo.ts'
import type { GuestView } from '@hither/contract/guests.ts'
import type { PingId } from '@hither/contract/ids.ts'
import type { CreatePing } from '@hither/contract/pings.ts'
import type { HttpReply, Person } from '../../../test/harness.ts'
import { createPlaces, type Places } from '../../geo/places.ts'
import { startCast as startGuests } from '../guests/harness.ts'

/** In Hoboken. The digits occur in no other number of these tests. */
export const exact = { latitude: 40.7437251, longitude: -74.0323937, address: '1 Washington Street' } as const
/** Another place in the cell of `exact`, for both sizes of the area. */
export const neighbor = { latitude: 40.7468163, longitude: -74.0281574, address: '9 Newark Street' } as const
export const town = 'near Hoboken, New Jersey, US'
/** The nearest town of the center of the area of 5 km. */
export const largeTown = 'near New York City, New York, US'
export const area = { latitude: 40.745, longitude: -74.028745, address: town, place_radius_m: 1000 } as const
export const exactPlace = { ...exact, place_radius_m: null } as const

export const settings = ['everyone', 'invited', 'going'] as const satisfies ExactPlaceFor[]

/** The cast of guests, with real names of towns by default, and pings of ann at the place `exact`. */
export type Cast = Awaited<ReturnType<typeof startCast>>

export async function startCast(places: Places = createPlaces(), environment: Record<string, string> = {}) {
  const cast = await startGuests(places, environment)
  const { server, ann } = cast
  return {
    ...cast,
    /** Creates a ping of ann that all of her friends are invited to. */
    place: (exact_place_for: ExactPlaceFor, fields: Partial<CreatePing> = {}) =>
      cast.drop(ann, { ...exact, exact_place_for, ...fields }),
    calendarOf: (id: PingId, as?: Person, guestToken?: string) =>
      server.request('GET', `/api/pings/${id}/calendar.ics`, {
        ...(as !== undefined && { as }),
        ...(guestToken !== undefined && { headers: { authorization: `Guest ${guestToken}` } }),
      }),
    areaOf: (lat: number, lng: number, area_km: 1 | 5, as?: Person) =>
      server.call(findArea, { body: { lat, lng, area_km } }, as),
  }
}

/** Returns the place that an answer shows. */
export function placeIn(shown: Partial<ShownPlace> | GuestView['ping']) {
  const { latitude, longitude, address, place_radius_m } = shown
  return { latitude, longitude, address, place_radius_m }
}

export function placeInReply(reply: HttpReply<unknown>) {
  return placeIn(reply.body as Partial<ShownPlace>)
}
