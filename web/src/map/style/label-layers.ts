import type { ExpressionSpecification } from 'maplibre-gl'
import { listedLanguage } from '../../i18n/language.ts'
import { byZoom, type Drawing, isClass, mapFont } from './drawings.ts'
import type { MapPalette } from './map-palette.ts'

// The map cannot shape Arabic.
const nameLanguage = listedLanguage === 'ar' ? 'en' : listedLanguage

const nameOf: ExpressionSpecification = [
  'coalesce',
  ['get', `name:${nameLanguage}`],
  ['get', 'name:en'],
  ['get', 'name_en'],
  ['get', 'name:latin'],
  ['get', 'name'],
]
const rank: ExpressionSpecification = ['coalesce', ['get', 'rank'], 20]
const isStation = isClass('railway')
const poiKinds = ['park', 'museum', 'railway', 'college', 'library', 'attraction', 'theatre', 'stadium']

/** A lower rank of the schema is more important. */
const isImportant: ExpressionSpecification = [
  '<=',
  ['coalesce', ['get', 'rank'], 9],
  ['interpolate', ['linear'], ['zoom'], 14, 2, 15, 6, 17, 99],
]

/** Where two names overlap, MapLibre shows the one that the last layer draws first. */
export function labels(c: MapPalette): Drawing[] {
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
        // The class "hospital" also contains every doctor's office.
        ['any', isClass(...poiKinds), ['==', ['get', 'subclass'], 'hospital']],
        isImportant,
      ],
      layout: {
        ...text,
        'text-size': 11,
        'text-max-width': 8,
        'text-padding': 8,
        'symbol-sort-key': rank,
        // The name is below the dot of a station.
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
      // Large cities have names at a low zoom, the others when there is more space.
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
