import type { Address } from '../operation.ts'

export const getOwnStreetMap = {
  method: 'GET',
  path: '/maps/:name',
  auth: 'none',
} as const satisfies Address

export const getOwnStreetTile = {
  method: 'GET',
  path: '/maps/:name/:z/:x/:y',
  auth: 'none',
  content: 'application/vnd.mapbox-vector-tile',
} as const satisfies Address
