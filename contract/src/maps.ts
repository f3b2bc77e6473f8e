import { type Static, Type } from 'typebox'
import type { Operation } from './operation.ts'
import { Bytes, NoContent, nullable, oneOf } from './values.ts'

/** West, south, east, north, in degrees. */
const Bounds = Type.Array(Type.Number(), { minItems: 4, maxItems: 4 })

/** The attribution that the map must show: text with links as `<a href="https://…">` and no other markup. */
const Attribution = Type.String()

/** A street map that the operator has installed: vector tiles in the OpenMapTiles schema, served by this server. */
export const OwnStreetMap = Type.Object({
  name: Type.String(),
  tilejson_path: Type.String({ description: 'Path below /api' }),
  bounds: Bounds,
  min_zoom: Type.Integer(),
  max_zoom: Type.Integer(),
  attribution: Attribution,
})
export type OwnStreetMap = Static<typeof OwnStreetMap>

/**
 * A street map of an external provider; the address contains the provider's key. `tilejson` and `tiles` (an address with
 * {z}, {x}, {y}) are in the OpenMapTiles schema. `style` is a complete map style.
 */
export const OnlineStreets = Type.Object({
  kind: oneOf(['tilejson', 'tiles', 'style']),
  url: Type.String(),
  attribution: nullable(Attribution),
})
export type OnlineStreets = Static<typeof OnlineStreets>

/** One layer of imagery. `bounds` is the area that it covers; `null` means everywhere. */
export const SatelliteLayer = Type.Object({
  kind: oneOf(['tilejson', 'tiles']),
  url: Type.String(),
  bounds: nullable(Bounds),
  max_zoom: nullable(Type.Integer()),
  attribution: nullable(Attribution),
})
export type SatelliteLayer = Static<typeof SatelliteLayer>

export const MapConfig = Type.Object({
  own_streets: Type.Array(OwnStreetMap, { description: 'Sorted by name; empty if the operator added none' }),
  online: Type.Boolean({ description: 'Whether clients may load maps from other servers' }),
  online_streets: nullable(OnlineStreets),
  satellite: Type.Array(SatelliteLayer, {
    description: 'From bottom to top; empty if clients must not load maps from other servers',
  }),
  key: nullable(
    Type.String({ description: 'The API key in the URLs, for the error message of a service that rejects it' }),
  ),
})
export type MapConfig = Static<typeof MapConfig>

export const TileJson = Type.Object({
  tilejson: Type.Literal('3.0.0'),
  name: Type.String(),
  scheme: Type.Literal('xyz'),
  tiles: Type.Array(Type.String()),
  bounds: Bounds,
  center: Type.Array(Type.Number()),
  minzoom: Type.Integer(),
  maxzoom: Type.Integer(),
  attribution: Attribution,
  vector_layers: Type.Array(Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })),
})
export type TileJson = Static<typeof TileJson>

const name = Type.String({ minLength: 1, maxLength: 200 })

export const getOwnStreetMap = {
  address: 'GET /maps/:name',
  auth: 'none',
  tag: 'maps',
  summary: "Get the TileJSON of one of the operator's street maps",
  params: Type.Object({ name }),
  replies: { 200: TileJson },
  refusals: ['map_not_found'],
} as const satisfies Operation

/** Needs no token, because neither the page of a public link nor the map library can send one. A 204 is an empty tile. */
export const getOwnStreetTile = {
  address: 'GET /maps/:name/:z/:x/:y',
  auth: 'none',
  content: 'application/vnd.mapbox-vector-tile',
  tag: 'maps',
  summary: 'Get a vector tile; with the version from the TileJSON (`v`) it can be cached forever',
  params: Type.Object({
    name,
    z: Type.Integer({ minimum: 0, maximum: 22 }),
    x: Type.Integer({ minimum: 0 }),
    y: Type.Integer({ minimum: 0 }),
  }),
  query: Type.Object({ v: Type.Optional(Type.String({ maxLength: 64 })) }),
  replies: { 200: Bytes, 204: NoContent },
  refusals: ['map_not_found'],
  rateLimits: [{ by: 'address', max: 3000, seconds: 60 }],
} as const satisfies Operation
