import latinExtUrl from '@fontsource-variable/plus-jakarta-sans/files/plus-jakarta-sans-latin-ext-wght-normal.woff2?url'
import latinUrl from '@fontsource-variable/plus-jakarta-sans/files/plus-jakarta-sans-latin-wght-normal.woff2?url'
import vietnameseUrl from '@fontsource-variable/plus-jakarta-sans/files/plus-jakarta-sans-vietnamese-wght-normal.woff2?url'
import { type SatelliteLayer } from '@hither/contract/maps.ts'
// biome-ignore lint/style/useImportType: the other form would load the engine with whoever imports this file
import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl'
import { plainAttribution } from './attribution.ts'
import worldUrl from './basemap/world.json?url'
import { type Bounds } from './grid.ts'
import { type MapLayers, mapFont, mapLayers } from './map-layers.ts'
import { type MapPalette, type MapScheme, mapPalettes } from './map-palette.ts'
import { mapStrings } from './strings.ts'
import { resolved, type Tiles } from './tile-json.ts'
import { onlineSource, type WholeStyle } from './whole-style.ts'
import { worldLayers } from './world-layers.ts'

export interface MapContent {
  scheme: MapScheme
  /** Names of towns, once the first picture stands. */
  hasPlaces: boolean
  /** The operator's own street maps. */
  own: readonly Tiles[]
  /** Street maps of the whole world, drawn with our layers or with their own. */
  online: Tiles | WholeStyle | null
  /** The embedded basemap, until something better has proved to be there. */
  hasWorld: boolean
  /** The picture of the earth that comes with the product. */
  hasShippedImagery: boolean
  /** From the bottom up; empty for a drawn ground. */
  satellite: readonly SatelliteLayer[]
}

export const worldSource = 'world'
export const gridSource = 'grid'
export const shippedImagerySource = 'shipped-imagery'
export const placesSource = 'places'
const nothing = { type: 'FeatureCollection' as const, features: [] }

/** Our own style. By itself it names no address but files of this origin. */
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
  // Seen from above there is no need for a drawn ground, only for names and borders.
  const isSatellite = content.satellite.length > 0 || content.hasShippedImagery
  return {
    version: 8,
    // No glyph server: names are drawn with the app's own typeface.
    'font-faces': fontFaces(),
    ...(whole?.glyphs && { glyphs: whole.glyphs }),
    ...(whole?.sprite && { sprite: whole.sprite }),
    sources: {
      ...whole?.sources,
      [worldSource]: geoJson(worldUrl, mapStrings.naturalEarth, 10),
      // Filled with those in view, see MapPlaces.tsx.
      [placesSource]: {
        type: 'geojson',
        data: nothing,
        maxzoom: 8,
        ...(content.hasPlaces && { attribution: mapStrings.geoNames }),
      },
      [gridSource]: { type: 'geojson', data: nothing },
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
      ...sets.flatMap(({ labels }) => labels),
    ] as LayerSpecification[],
  }
}

export function ownSource(index: number): string {
  return `own-${index}`
}

/** Its ground would hide the world that stands in for it until it has proved to be there. */
function layersOf({ layers }: WholeStyle, hasWorld: boolean): MapLayers {
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
  // Where there are streets, the coarser picture below would only show its edges.
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

/** Made by scripts/build-imagery.ts. */
function shippedImagery(): SourceSpecification {
  const tile = resolved('/imagery/{z}/{x}/{y}.webp', document.baseURI)
  return { type: 'raster', tiles: [tile], tileSize: 512, maxzoom: 3, attribution: mapStrings.blueMarble }
}

function imageryLayer(source: string): LayerSpecification {
  return { id: source, type: 'raster', source, paint: { 'raster-fade-duration': 0 } }
}

export function satelliteSource(index: number): string {
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
