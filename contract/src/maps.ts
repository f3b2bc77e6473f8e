import { type Static, Type } from 'typebox'
import { type Operation } from './operation.ts'
import { Bytes, NoContent, nullable, oneOf } from './values.ts'

/** West, south, east, north. */
const Bounds = Type.Array(Type.Number(), { minItems: 4, maxItems: 4 })

/** Who is to be named on the map: text, with links as `<a href="https://…">` and nothing else. */
const Attribution = Type.String()

/** A street map of the operator's own: vector tiles in the OpenMapTiles schema, served from here. */
export const OwnStreetMap = Type.Object({
  name: Type.String(),
  tilejson_path: Type.String({ description: 'Below /api' }),
  bounds: Bounds,
  min_zoom: Type.Integer(),
  max_zoom: Type.Integer(),
  attribution: Attribution,
})
export type OwnStreetMap = Static<typeof OwnStreetMap>

/**
 * Streets from elsewhere, ready to be asked (its key is in the address). `tilejson` and `tiles` (an address with {z}, {x}, {y})
 * are in the OpenMapTiles schema; `style` is a whole style of its own.
 */
export const OnlineStreets = Type.Object({
  kind: oneOf(['tilejson', 'tiles', 'style']),
  url: Type.String(),
  attribution: nullable(Attribution),
})
export type OnlineStreets = Static<typeof OnlineStreets>

/** One layer of imagery; `bounds` is where it is worth asking, `null` everywhere. */
export const SatelliteLayer = Type.Object({
  kind: oneOf(['tilejson', 'tiles']),
  url: Type.String(),
  bounds: nullable(Bounds),
  max_zoom: nullable(Type.Integer()),
  attribution: nullable(Attribution),
})
export type SatelliteLayer = Static<typeof SatelliteLayer>

export const MapConfig = Type.Object({
  own_streets: Type.Array(OwnStreetMap, { description: 'By name; empty where none was dropped in' }),
  online: Type.Boolean({ description: 'Whether anything outside this server may be asked' }),
  online_streets: nullable(OnlineStreets),
  satellite: Type.Array(SatelliteLayer, {
    description: 'From the bottom up; empty where nothing outside may be asked',
  }),
  key: nullable(Type.String({ description: 'The key in the addresses, to be named where it is refused' })),
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
  method: 'GET',
  path: '/maps/:name',
  tag: 'maps',
  summary: "TileJSON of a street map of the operator's own",
  auth: 'none',
  params: Type.Object({ name }),
  replies: { 200: TileJson },
  refusals: ['map_not_found'],
} as const satisfies Operation

/** Not signed in: neither the page of a public link nor the map itself can send a token. 204: the map is empty there. */
export const getOwnStreetTile = {
  method: 'GET',
  path: '/maps/:name/:z/:x/:y',
  tag: 'maps',
  summary: 'One vector tile; with the version that TileJSON names (`v`) it may be kept for ever',
  auth: 'none',
  params: Type.Object({
    name,
    z: Type.Integer({ minimum: 0, maximum: 22 }),
    x: Type.Integer({ minimum: 0 }),
    y: Type.Integer({ minimum: 0 }),
  }),
  query: Type.Object({ v: Type.Optional(Type.String({ maxLength: 64 })) }),
  content: 'application/vnd.mapbox-vector-tile',
  replies: { 200: Bytes, 204: NoContent },
  refusals: ['map_not_found'],
  rateLimits: [{ by: 'address', max: 3000, seconds: 60 }],
} as const satisfies Operation
