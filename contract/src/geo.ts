import { type Static, Type } from 'typebox'
import { type Operation } from './operation.ts'
import { nullable, text } from './values.ts'

export const geoLimits = {
  /** As much as a ping takes. */
  addressLength: 300,
  nameLength: 120,
  queryLength: 120,
  results: 8,
} as const

const latitude = Type.Number({ minimum: -90, maximum: 90 })
const longitude = Type.Number({ minimum: -180, maximum: 180 })

export const FoundAddress = Type.Object({
  address: nullable(Type.String({ description: 'At most 300 characters; "near …" where only the next town is known' })),
})
export type FoundAddress = Static<typeof FoundAddress>

export const FoundPlace = Type.Object({
  name: Type.String(),
  address: Type.String({ description: 'What tells it from others of its name; empty where there is nothing to add' }),
  latitude: Type.Number(),
  longitude: Type.Number(),
})
export type FoundPlace = Static<typeof FoundPlace>

export const findAddress = {
  method: 'GET',
  path: '/geo/reverse',
  tag: 'geo',
  summary: 'What is at a position: an address, or the next town, or null where nothing is known',
  auth: 'required',
  query: Type.Object({ lat: latitude, lng: longitude }),
  replies: { 200: FoundAddress },
  rateLimits: [{ by: 'person', max: 60, seconds: 60 }],
} as const satisfies Operation

/** `lat` and `lng` are the middle of the map, never the device's own position: they only order what is found. */
export const searchPlaces = {
  method: 'GET',
  path: '/geo/search',
  tag: 'geo',
  summary: 'Places by name, address or coordinates, best first; at most 8',
  auth: 'required',
  query: Type.Object({
    q: text({ minLength: 1, maxLength: geoLimits.queryLength }),
    lat: Type.Optional(latitude),
    lng: Type.Optional(longitude),
  }),
  replies: { 200: Type.Array(FoundPlace) },
  rateLimits: [{ by: 'person', max: 120, seconds: 60 }],
} as const satisfies Operation
