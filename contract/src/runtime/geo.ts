import type { Address } from '../operation.ts'

export const geoLimits = {
  /** The longest address of a ping. */
  addressLength: 300,
  nameLength: 120,
  queryLength: 120,
  results: 8,
} as const

/** The English beginning of an address of which only something near is known. Each reader is shown it in their language. */
export const nearPrefix = 'near '

export const findAddress = {
  method: 'POST',
  path: '/geo/reverse',
  auth: 'required',
} as const satisfies Address

export const searchPlaces = {
  method: 'POST',
  path: '/geo/search',
  auth: 'required',
} as const satisfies Address

export const findArea = {
  method: 'POST',
  path: '/geo/area',
  auth: 'required',
} as const satisfies Address
