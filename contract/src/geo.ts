import { type Static, Type } from 'typebox'
import { AreaKm } from './areas.ts'
import { inAddress, type Operation } from './operation.ts'
import * as runtime from './runtime/geo.ts'
import { nullable, text } from './values.ts'

const latitude = Type.Number({ minimum: -90, maximum: 90 })
const longitude = Type.Number({ minimum: -180, maximum: 180 })

export const FoundAddress = Type.Object({
  address: nullable(Type.String({ description: 'At most 300 characters; "near …" if only the nearest town is known' })),
})
export type FoundAddress = Static<typeof FoundAddress>

export const FoundPlace = Type.Object({
  name: Type.String(),
  address: Type.String({
    description: 'Distinguishes it from places with the same name; empty if there is nothing to add',
  }),
  latitude: Type.Number(),
  longitude: Type.Number(),
})
export type FoundPlace = Static<typeof FoundPlace>

/** The area that people see who may not know the exact place of a ping. */
export const FoundArea = Type.Object({
  latitude: Type.Number(),
  longitude: Type.Number(),
  address: nullable(Type.String({ description: 'The nearest town of the center, "near …"' })),
  radius_m: Type.Unsafe<1000 | 5000>({ type: 'integer', enum: [1000, 5000] }),
})
export type FoundArea = Static<typeof FoundArea>

export const findAddress = {
  address: 'POST /geo/reverse',
  auth: 'required',
  tag: 'geo',
  summary: 'Get the address of a position, or the nearest town, or null if nothing is known',
  body: Type.Object({ lat: latitude, lng: longitude }),
  replies: { 200: FoundAddress },
  rateLimits: [{ by: 'person', max: 60, seconds: 60, group: 'addresses of positions' }],
} as const satisfies Operation

export const findAddressInAddress = inAddress(findAddress)

/** `lat` and `lng` are the center of the map, never the position of the device. They only order the results. */
export const searchPlaces = {
  address: 'POST /geo/search',
  auth: 'required',
  tag: 'geo',
  summary: 'Search places by name, address or coordinates, best match first; at most 8',
  body: Type.Object({
    q: text({ minLength: 1, maxLength: runtime.geoLimits.queryLength }),
    lat: Type.Optional(latitude),
    lng: Type.Optional(longitude),
  }),
  replies: { 200: Type.Array(FoundPlace, { maxItems: runtime.geoLimits.results }) },
  rateLimits: [{ by: 'person', max: 120, seconds: 60, group: 'place searches' }],
} as const satisfies Operation

export const searchPlacesInAddress = inAddress(searchPlaces)

export const findArea = {
  address: 'POST /geo/area',
  auth: 'required',
  tag: 'geo',
  summary: 'Get the area of a place, as people see it who may not know the exact place',
  body: Type.Object({ lat: latitude, lng: longitude, area_km: AreaKm }),
  replies: { 200: FoundArea },
  rateLimits: [{ by: 'person', max: 60, seconds: 60, group: 'areas' }],
} as const satisfies Operation

export const findAreaInAddress = inAddress(findArea)
