// biome-ignore lint/style/useImportType: the other form would load the engine with whoever imports this file
import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl'
import { type MapPalette } from './map-palette.ts'

/** Where the features of a layer of the OpenMapTiles schema are: in a layer of tiles, or among a file's features. */
export interface LayerPlace {
  source: string
  'source-layer'?: string
  filter?: FilterSpecification
}
export type FindLayer = (sourceLayer: string) => LayerPlace

export interface MapLayers {
  areas: LayerSpecification[]
  lines: LayerSpecification[]
  labels: LayerSpecification[]
}

interface Drawing {
  id: string
  of: string
  type: 'fill' | 'line' | 'circle' | 'symbol'
  where?: ExpressionSpecification
  minzoom?: number
  maxzoom?: number
  layout?: object
  paint: object
}

export const mapFont = 'Plus Jakarta Sans'

/** Draws every layer of the schema that is there; a source that lacks one draws nothing for it. */
export function mapLayers(prefix: string, find: FindLayer, colours: MapPalette): MapLayers {
  const drawn = (drawings: Drawing[]) => drawings.map((drawing) => layerOf(prefix, find, drawing))
  return {
    areas: drawn(areas(colours)),
    lines: drawn([...ways(colours), ...borders(colours)]),
    labels: drawn(labels(colours)),
  }
}

function layerOf(prefix: string, find: FindLayer, { id, of, where, ...rest }: Drawing): LayerSpecification {
  const { filter, ...place } = find(of)
  const filters = [filter, where].filter((part) => part !== undefined)
  return {
    id: `${prefix}-${id}`,
    ...place,
    ...rest,
    ...(filters.length > 0 && { filter: ['all', ...filters] }),
  } as LayerSpecification
}

function isClass(...classes: string[]): ExpressionSpecification {
  return ['match', ['get', 'class'], classes, true, false]
}

function byZoom(...stops: (number | unknown[])[]) {
  return ['interpolate', ['linear'], ['zoom'], ...stops]
}

/** Widths that grow as the ground does. */
function growing(...stops: number[]) {
  return ['interpolate', ['exponential', 1.5], ['zoom'], ...stops]
}

const notInTunnel: ExpressionSpecification = ['!=', ['get', 'brunnel'], 'tunnel']
const isLine: ExpressionSpecification = ['==', ['geometry-type'], 'LineString']
const rounded = { 'line-cap': 'round', 'line-join': 'round' }
/** Features of the embedded basemap say from where on they are worth drawing. */
const isDue: ExpressionSpecification = ['<=', ['coalesce', ['get', 'min_zoom'], 0], ['+', ['zoom'], 1]]

function areas(c: MapPalette): Drawing[] {
  return [
    { id: 'ice', of: 'landcover', type: 'fill', where: isClass('ice'), paint: { 'fill-color': c.ice } },
    { id: 'wood', of: 'landcover', type: 'fill', where: isClass('wood', 'forest'), paint: { 'fill-color': c.wood } },
    { id: 'sand', of: 'landcover', type: 'fill', where: isClass('sand'), paint: { 'fill-color': c.sand } },
    {
      id: 'built',
      of: 'landuse',
      type: 'fill',
      where: isClass(
        'residential',
        'suburb',
        'neighbourhood',
        'commercial',
        'retail',
        'school',
        'university',
        'college',
      ),
      paint: { 'fill-color': c.built, 'fill-opacity': byZoom(8, 1, 14, 0.6) },
    },
    {
      id: 'works',
      of: 'landuse',
      type: 'fill',
      where: isClass('industrial', 'railway', 'garages', 'hospital', 'military'),
      paint: { 'fill-color': c.works },
    },
    {
      id: 'grass',
      of: 'landcover',
      type: 'fill',
      where: isClass('grass', 'farmland', 'wetland', 'scrub', 'garden'),
      paint: { 'fill-color': c.grass, 'fill-opacity': 0.8 },
    },
    {
      id: 'green',
      of: 'landuse',
      type: 'fill',
      where: isClass('cemetery', 'pitch', 'playground', 'stadium', 'park', 'zoo'),
      paint: { 'fill-color': c.grass },
    },
    { id: 'park', of: 'park', type: 'fill', paint: { 'fill-color': c.wood, 'fill-opacity': 0.8 } },
    { id: 'water', of: 'water', type: 'fill', where: notInTunnel, paint: { 'fill-color': c.water } },
    {
      id: 'building',
      of: 'building',
      type: 'fill',
      minzoom: 13,
      paint: { 'fill-color': c.building, 'fill-opacity': byZoom(13, 0, 14.5, 1) },
    },
  ]
}

function ways(c: MapPalette): Drawing[] {
  return [
    {
      id: 'river',
      of: 'waterway',
      type: 'line',
      where: ['all', notInTunnel, isDue],
      layout: rounded,
      paint: { 'line-color': c.water, 'line-width': growing(2, 0.5, 8, 1.5, 14, 3, 18, 8) },
    },
    {
      id: 'runway',
      of: 'aeroway',
      type: 'line',
      minzoom: 10,
      where: isClass('runway', 'taxiway'),
      paint: { 'line-color': c.works, 'line-width': growing(10, 1, 15, 14, 18, 60) },
    },
    {
      id: 'ferry',
      of: 'transportation',
      type: 'line',
      minzoom: 10,
      where: isClass('ferry'),
      paint: { 'line-color': c.waterText, 'line-opacity': 0.4, 'line-dasharray': [4, 3], 'line-width': 1 },
    },
    {
      id: 'path',
      of: 'transportation',
      type: 'line',
      minzoom: 14,
      where: ['all', isLine, isClass('path', 'track', 'pedestrian')],
      layout: rounded,
      paint: { 'line-color': c.path, 'line-dasharray': [2, 1.5], 'line-width': growing(14, 0.6, 18, 2.5) },
    },
    {
      id: 'rail',
      of: 'transportation',
      type: 'line',
      minzoom: 11,
      where: ['all', isLine, isClass('rail', 'transit'), notInTunnel],
      paint: { 'line-color': c.rail, 'line-width': growing(11, 0.6, 16, 2) },
    },
    ...roads(c),
  ]
}

interface Road {
  id: string
  classes: string[]
  minzoom: number
  colours: (palette: MapPalette) => { edge: string; road: string }
  width: number[]
}

const small = ({ roadEdge, road }: MapPalette) => ({ edge: roadEdge, road })
const big = ({ bigRoadEdge, bigRoad }: MapPalette) => ({ edge: bigRoadEdge, road: bigRoad })
const motorway = (palette: MapPalette) => ({ edge: palette.motorwayEdge, road: palette.motorway })

const roadKinds: readonly Road[] = [
  { id: 'service', classes: ['service'], minzoom: 13, colours: small, width: [13, 0.6, 15, 2.2, 18, 9] },
  {
    id: 'minor',
    classes: ['minor', 'unclassified', 'residential', 'living_street'],
    minzoom: 11,
    colours: small,
    width: [11, 0.35, 13, 1.4, 15, 5, 18, 20],
  },
  {
    id: 'secondary',
    classes: ['secondary', 'tertiary'],
    minzoom: 9,
    colours: small,
    width: [9, 0.6, 12, 1.8, 15, 8, 18, 26],
  },
  { id: 'primary', classes: ['primary'], minzoom: 7, colours: big, width: [7, 0.5, 12, 2.2, 15, 9, 18, 28] },
  {
    id: 'motorway',
    classes: ['trunk', 'motorway'],
    minzoom: 5,
    colours: motorway,
    width: [5, 0.6, 12, 3, 15, 11, 18, 32],
  },
]

/** All edges below all fills, so that crossings stay open. */
function roads(c: MapPalette): Drawing[] {
  const road = ({ id, classes, minzoom }: Road, part: string, tunnel: ExpressionSpecification) => ({
    id: `${part}-${id}`,
    of: 'transportation',
    type: 'line' as const,
    minzoom,
    where: ['all', isLine, isClass(...classes), tunnel] as ExpressionSpecification,
    layout: rounded,
  })
  const inTunnel: ExpressionSpecification = ['==', ['get', 'brunnel'], 'tunnel']
  return [
    ...roadKinds.map((kind) => ({
      ...road(kind, 'road-edge', notInTunnel),
      paint: {
        'line-color': kind.colours(c).edge,
        'line-width': growing(...kind.width.map((value, i) => (i % 2 === 0 ? value : value + (value < 3 ? 0.6 : 1.6)))),
      },
    })),
    ...roadKinds.map((kind) => ({
      ...road(kind, 'tunnel', inTunnel),
      paint: {
        'line-color': kind.colours(c).road,
        'line-opacity': 0.5,
        'line-dasharray': [2, 1],
        'line-width': growing(...kind.width),
      },
    })),
    ...roadKinds.map((kind) => ({
      ...road(kind, 'road', notInTunnel),
      paint: { 'line-color': kind.colours(c).road, 'line-width': growing(...kind.width) },
    })),
  ]
}

function borders(c: MapPalette): Drawing[] {
  const level = (value: number): ExpressionSpecification => [
    'all',
    ['==', ['get', 'admin_level'], value],
    ['!=', ['get', 'maritime'], 1],
  ]
  return [
    {
      id: 'state-border',
      of: 'boundary',
      type: 'line',
      minzoom: 3,
      where: level(4),
      layout: rounded,
      paint: { 'line-color': c.stateBorder, 'line-dasharray': [3, 2], 'line-width': byZoom(3, 0.5, 8, 1.3) },
    },
    {
      id: 'border',
      of: 'boundary',
      type: 'line',
      where: level(2),
      layout: rounded,
      paint: { 'line-color': c.border, 'line-width': byZoom(1, 0.5, 5, 1, 10, 2) },
    },
  ]
}

const nameOf: ExpressionSpecification = [
  'coalesce',
  ['get', 'name:en'],
  ['get', 'name_en'],
  ['get', 'name:latin'],
  ['get', 'name'],
]
const rank: ExpressionSpecification = ['coalesce', ['get', 'rank'], 20]
const isStation = isClass('railway')
const poiKinds = ['park', 'museum', 'railway', 'college', 'library', 'attraction', 'theatre', 'stadium']

/** The ranks of the schema count up from the most important. */
const isImportant: ExpressionSpecification = [
  '<=',
  ['coalesce', ['get', 'rank'], 9],
  ['interpolate', ['linear'], ['zoom'], 14, 2, 15, 6, 17, 99],
]

/** Where two names are in each other's way, the first drawn of the last layer stays. */
function labels(c: MapPalette): Drawing[] {
  const halo = { 'text-halo-color': c.halo, 'text-halo-width': 1.5, 'text-halo-blur': 0.3 }
  const capitals = { 'text-transform': 'uppercase', 'text-letter-spacing': 0.1 }
  const text = { 'text-field': nameOf, 'text-font': [mapFont] }
  const place = (
    id: string,
    where: ExpressionSpecification,
    [minzoom, maxzoom]: [number, number],
    size: unknown,
    colour: string,
    layout: object = {},
  ): Drawing => ({
    id,
    of: 'place',
    type: 'symbol',
    where,
    minzoom,
    maxzoom,
    layout: { ...text, 'text-size': size, 'text-max-width': 7, 'text-padding': 5, 'symbol-sort-key': rank, ...layout },
    paint: { 'text-color': colour, ...halo },
  })
  return [
    {
      id: 'water-name',
      of: 'water_name',
      type: 'symbol',
      where: ['all', ['==', ['geometry-type'], 'Point'], ['<=', ['coalesce', ['get', 'min_zoom'], 0], ['zoom']]],
      layout: { ...text, 'text-size': byZoom(3, 10.5, 8, 13), 'text-max-width': 6 },
      paint: { 'text-color': c.waterText },
    },
    {
      id: 'road-name',
      of: 'transportation_name',
      type: 'symbol',
      minzoom: 12,
      where: ['match', ['get', 'class'], ['rail', 'transit', 'ferry', 'aerialway', 'path', 'service'], false, true],
      layout: { ...text, 'symbol-placement': 'line', 'text-size': byZoom(12, 10.5, 16, 12.5, 18, 14) },
      paint: { 'text-color': c.text, ...halo },
    },
    {
      id: 'station',
      of: 'poi',
      type: 'circle',
      minzoom: 14,
      where: ['all', isStation, isImportant],
      paint: {
        'circle-color': c.station,
        'circle-radius': byZoom(14, 2, 17, 3.5),
        'circle-stroke-color': c.halo,
        'circle-stroke-width': 1.5,
      },
    },
    {
      id: 'poi',
      of: 'poi',
      type: 'symbol',
      minzoom: 14,
      where: [
        'all',
        // Every doctor's practice is of the class of hospitals.
        ['any', isClass(...poiKinds), ['==', ['get', 'subclass'], 'hospital']],
        isImportant,
      ],
      layout: {
        ...text,
        'text-size': 11,
        'text-max-width': 8,
        'text-padding': 8,
        'symbol-sort-key': rank,
        // Below its dot.
        'text-anchor': ['case', isStation, 'top', 'center'],
        'text-offset': ['case', isStation, ['literal', [0, 0.5]], ['literal', [0, 0]]],
      },
      paint: { 'text-color': c.faintText, ...halo },
    },
    place('suburb', isClass('suburb', 'neighbourhood', 'quarter'), [11, 17], byZoom(11, 10.5, 15, 13), c.faintText),
    place('village', isClass('village', 'hamlet'), [9.5, 16], byZoom(9, 10.5, 14, 13), c.text),
    place('town', isClass('town'), [7, 16], byZoom(6, 10.5, 14, 15), c.text),
    place('borough', isClass('borough'), [9, 14], byZoom(9, 10.5, 13, 14), c.faintText, capitals),
    place('state', isClass('state', 'province'), [3.5, 8], byZoom(3, 9.5, 7, 12), c.faintText, capitals),
    place(
      'city',
      // A metropolis early, the others as there comes to be room for them.
      ['all', isClass('city'), ['<=', rank, ['step', ['zoom'], 3, 4, 4, 5, 5, 6, 6, 7, 20]]],
      [3, 15],
      byZoom(3, ['match', rank, [1, 2], 11.5, 10.5], 8, ['match', rank, [1, 2], 17, [3, 4], 15, 13], 13, [
        'match',
        rank,
        [1, 2],
        23,
        [3, 4],
        19,
        16,
      ]),
      c.strongText,
    ),
    place(
      'country',
      ['all', isClass('country'), ['<=', rank, ['+', ['zoom'], 0.5]]],
      [1, 8],
      byZoom(1, ['match', rank, [1, 2], 11.5, 10.5], 4, ['match', rank, [1, 2], 15, 12.5], 7, 18),
      c.text,
    ),
  ]
}
