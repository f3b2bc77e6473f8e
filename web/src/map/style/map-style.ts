import latinExtUrl from '@fontsource-variable/plus-jakarta-sans/files/plus-jakarta-sans-latin-ext-wght-normal.woff2?url'
import latinUrl from '@fontsource-variable/plus-jakarta-sans/files/plus-jakarta-sans-latin-wght-normal.woff2?url'
import vietnameseUrl from '@fontsource-variable/plus-jakarta-sans/files/plus-jakarta-sans-vietnamese-wght-normal.woff2?url'
import type { SatelliteLayer } from '@hither/contract/maps.ts'
import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'
import { t } from '../../i18n/translate.ts'
import worldUrl from '../basemap/world.json?url'
import type { Bounds } from '../engine/grid.ts'
import { resolved, type Tiles } from '../tiles/tile-json.ts'
import { plainAttribution } from './attribution.ts'
import { mapFont } from './drawings.ts'
import { type ExternalStyle, onlineSource } from './external-style.ts'
import { type MapLayers, mapLayers } from './map-layers.ts'
import { type MapPalette, type MapScheme, mapPalettes } from './map-palette.ts'
import { worldLayers } from './world-layers.ts'

const geoNames = '<a href="https://www.geonames.org" target="_blank" rel="noreferrer">GeoNames</a> (CC BY 4.0)'

export interface MapContent {
  scheme: MapScheme
  /** Whether town names are shown; only after the first render. */
  hasPlaces: boolean
  /** The operator's own street maps. */
  own: readonly Tiles[]
  /** Street maps of the whole world, drawn with the layers of this app or with their own. */
  online: Tiles | ExternalStyle | null
  /** Whether the embedded basemap is shown; only until another map has loaded. */
  hasWorld: boolean
  /** Whether the included imagery is shown. */
  hasShippedImagery: boolean
  /** The imagery layers from bottom to top. Empty for a drawn ground. */
  satellite: readonly SatelliteLayer[]
}

export const worldSource = 'world'
export const gridSource = 'grid'
export const shippedImagerySource = 'shipped-imagery'
export const placesSource = 'places'
export const areasSource = 'areas'
const nothing = { type: 'FeatureCollection' as const, features: [] }

/** Returns the map style. It requests only files of this origin, unless `content` names other servers. */
export function mapStyle(content: MapContent): StyleSpecification {
  const colours = mapPalettes[content.scheme]
  const whole = content.online !== null && 'layers' in content.online ? content.online : null
  const streets = [
    ...(content.online === null || 'layers' in content.online
      ? []
      : [{ id: onlineSource, tiles: content.online, hasMask: false }]),
    ...content.own.map((tiles, index) => ({ id: ownSource(index), tiles, hasMask: true })),
  ]
  const sets = [
    ...(content.hasWorld ? [worldLayers({ world: worldSource, places: placesSource }, colours)] : []),
    ...(whole === null ? [] : [layersOf(whole, content.hasWorld)]),
    ...streets.map(({ id, tiles, hasMask }) => streetLayers(id, tiles, hasMask, colours)),
  ]
  // Imagery replaces the drawn ground and leaves names and borders.
  const isSatellite = content.satellite.length > 0 || content.hasShippedImagery
  return {
    version: 8,
    // Names use the app's own font, so no glyph server is needed.
    'font-faces': fontFaces(),
    ...(whole?.glyphs && { glyphs: whole.glyphs }),
    ...(whole?.sprite && { sprite: whole.sprite }),
    sources: {
      ...whole?.sources,
      [worldSource]: geoJson(worldUrl, t('map.naturalEarth'), 10),
      // `MapPlaces.tsx` adds the visible names.
      [placesSource]: {
        type: 'geojson',
        data: nothing,
        maxzoom: 8,
        ...(content.hasPlaces && { attribution: geoNames }),
      },
      [gridSource]: { type: 'geojson', data: nothing },
      // `AreaCircles.tsx` adds the circles.
      [areasSource]: { type: 'geojson', data: nothing },
      ...Object.fromEntries(streets.map(({ id, tiles }) => [id, vectorSource(tiles)])),
      ...Object.fromEntries(content.own.map(({ bounds }, index) => [maskOf(ownSource(index)), rectangle(bounds)])),
      ...(content.hasShippedImagery && { [shippedImagerySource]: shippedImagery() }),
      ...Object.fromEntries(content.satellite.map((imagery, index) => [satelliteSource(index), rasterSource(imagery)])),
    },
    layers: [
      {
        id: 'ground',
        type: 'background',
        paint: { 'background-color': content.hasWorld ? colours.water : colours.land },
      },
      ...sets.flatMap(({ areas, lines }) => [...areas, ...lines]),
      ...(content.hasShippedImagery ? [imageryLayer(shippedImagerySource)] : []),
      ...content.satellite.map((_, index) => imageryLayer(satelliteSource(index))),
      ...(isSatellite ? sets.flatMap(({ lines }) => lines.filter(({ id }) => id.endsWith('-border'))) : []).map(
        (layer) => ({ ...layer, id: `${layer.id}-above` }),
      ),
      gridLayer(colours),
      ...areaLayers(),
      ...sets.flatMap(({ labels }) => labels),
    ] as LayerSpecification[],
  }
}

function ownSource(index: number): string {
  return `own-${index}`
}

/** The background of the external style would hide the embedded world, so it is added only after a tile has arrived. */
function layersOf({ layers }: ExternalStyle, hasWorld: boolean): MapLayers {
  const drawn = layers.filter(({ type }) => !(hasWorld && type === 'background'))
  return {
    areas: [],
    lines: drawn.filter(({ type }) => type !== 'symbol'),
    labels: drawn.filter(({ type }) => type === 'symbol'),
  }
}

function maskOf(source: string): string {
  return `${source}-mask`
}

function streetLayers(source: string, tiles: Tiles, hasMask: boolean, colours: MapPalette) {
  const { areas, lines, labels } = mapLayers(source, (layer) => ({ source, 'source-layer': layer }), colours)
  if (!hasMask) return { areas, lines, labels }
  // Streets cover the coarser world map, whose edges would otherwise be visible.
  const mask = {
    id: maskOf(source),
    type: 'fill',
    source: maskOf(source),
    minzoom: Math.max(tiles.minzoom, 9),
    paint: { 'fill-color': colours.land, 'fill-antialias': false },
  } as LayerSpecification
  const near = (layers: LayerSpecification[]) =>
    layers.map((layer) => ({ ...layer, minzoom: Math.max(layer.minzoom ?? 0, 9) }) as LayerSpecification)
  return { areas: [mask, ...near(areas)], lines: near(lines), labels: near(labels) }
}

function vectorSource({ tiles, bounds, minzoom, maxzoom, attribution }: Tiles): SourceSpecification {
  return { type: 'vector', tiles: [...tiles], bounds: cornersOf(bounds), minzoom, maxzoom, attribution }
}

function rasterSource({ kind, url, bounds, max_zoom, attribution }: SatelliteLayer): SourceSpecification {
  return {
    type: 'raster',
    tileSize: 256,
    ...(kind === 'tilejson' ? { url } : { tiles: [url] }),
    ...(max_zoom !== null && { maxzoom: max_zoom }),
    ...(bounds !== null && { bounds: bounds as [number, number, number, number] }),
    ...(attribution !== null && { attribution: plainAttribution(attribution) }),
  }
}

/** The file is generated by scripts/build-imagery.ts. */
function shippedImagery(): SourceSpecification {
  const tile = resolved('/imagery/{z}/{x}/{y}.webp', document.baseURI)
  return { type: 'raster', tiles: [tile], tileSize: 512, maxzoom: 3, attribution: t('map.blueMarble') }
}

function imageryLayer(source: string): LayerSpecification {
  return { id: source, type: 'raster', source, paint: { 'raster-fade-duration': 0 } }
}

function satelliteSource(index: number): string {
  return `satellite-${index}`
}

function geoJson(url: string, attribution: string, maxzoom: number): SourceSpecification {
  return { type: 'geojson', data: new URL(url, document.baseURI).href, attribution, maxzoom, tolerance: 0.3 }
}

function rectangle({ west, south, east, north }: Bounds): SourceSpecification {
  const coordinates = [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ]
  return { type: 'geojson', data: { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates } } }
}

function cornersOf({ west, south, east, north }: Bounds): [number, number, number, number] {
  return [west, south, east, north]
}

function gridLayer(colours: MapPalette): LayerSpecification {
  return {
    id: 'grid',
    type: 'line',
    source: gridSource,
    minzoom: 9,
    paint: {
      'line-color': colours.grid,
      'line-width': 1,
      'line-opacity': ['interpolate', ['linear'], ['zoom'], 9, 0, 11, 0.07],
    },
  }
}

/** In the color of the pins of friends, see `pins.css`. */
function areaLayers(): LayerSpecification[] {
  const color = '#e5484d'
  return [
    { id: 'area', type: 'fill', source: areasSource, paint: { 'fill-color': color, 'fill-opacity': 0.12 } },
    { id: 'area-edge', type: 'line', source: areasSource, paint: { 'line-color': color, 'line-width': 2 } },
  ]
}

function fontFaces() {
  return {
    [mapFont]: [
      { url: latinUrl, 'unicode-range': ['U+0-FF', 'U+131', 'U+152-153', 'U+2B0-2FF', 'U+2000-206F', 'U+2122'] },
      { url: latinExtUrl, 'unicode-range': ['U+100-2AF', 'U+1E00-1E9F', 'U+20A0-20CF'] },
      { url: vietnameseUrl, 'unicode-range': ['U+1EA0-1EF9'] },
    ],
  }
}

export function isSatelliteSource(source: string): boolean {
  return source.startsWith('satellite-')
}
