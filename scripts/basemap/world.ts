import { readFileSync } from 'node:fs'
import { feature, mesh } from 'topojson-client'
import {
  areaOf,
  featureOf,
  innermost,
  isWorthDrawing,
  type Point,
  pointOf,
  polygonsOf,
  type Ring,
  rounded,
  simplified,
  type Topology,
  unwrapped,
  unwrappedLine,
  withoutFlatCorners,
} from './geometry.ts'
import { readPackageFile } from './inputs.ts'
import { longNames, namePlaces } from './names.ts'

type GeometryCollection = Extract<Topology['objects'][string], { type: 'GeometryCollection' }>
type Geometry = { type: string; coordinates?: unknown } | null
interface Shape {
  geometry: Geometry
  id?: unknown
  properties: Record<string, unknown> | null
}

const smallestNamedDeg2 = 0.25
/** The area, in degrees, in which land comes from sources that are more detailed than Natural Earth. */
const fineArea = { west: -74.6, south: 40.3, east: -73.4, north: 41.2 }
/** Bronx, Kings, New York, Queens and Richmond. Their shore comes from data of the city. */
const boroughIds = ['36005', '36047', '36061', '36081', '36085']

/** Layer and class names follow the OpenMapTiles schema if it has one, so that one style renders both maps. */
export function buildWorld() {
  const topology = simplified(readPackageFile<Topology>('world-atlas/countries-10m.json'))
  const countries = topology.objects['countries'] as GeometryCollection
  const land = feature(topology, topology.objects['land'] as GeometryCollection)
  const states = simplified(readPackageFile<Topology>('us-atlas/states-10m.json'))
  const stateShapes = states.objects['states'] as GeometryCollection
  return [
    ...graticule().map((line) => featureOf('graticule', { type: 'LineString', coordinates: line })),
    ...(land.features as Shape[])
      .flatMap(({ geometry }) => polygonsOf(geometry))
      .map((rings) => rings.map(unwrapped).filter(isWorthDrawing))
      .filter((rings) => rings.length > 0)
      .map((rings) => featureOf('land', { type: 'Polygon', coordinates: rings.map(rounded) })),
    ...fineShore(),
    ...lakes(),
    ...rivers(),
    borderOf(topology, countries, 2),
    borderOf(states, stateShapes, 4),
    ...(feature(topology, countries).features as Shape[]).flatMap((shape) => countryName(shape)),
    ...(feature(states, stateShapes).features as Shape[]).flatMap((shape) => stateName(shape)),
  ]
}

/** Covers the coarse shore with water and adds the detailed land above it. */
function fineShore() {
  const { west, south, east, north } = fineArea
  const cover: Ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  const counties = readPackageFile<Topology>('us-atlas/counties-10m.json')
  const shapes = feature(counties, counties.objects['counties'] as GeometryCollection).features as Shape[]
  const nearby = shapes
    .filter(({ id }) => !boroughIds.includes(String(id)))
    .flatMap(({ geometry }) => polygonsOf(geometry))
    .filter((rings) => (rings[0] as Ring).some(([x, y]) => x > west && x < east && y > south && y < north))
  // New York City's borough boundaries clipped to the shore (nybb, public domain), to about twenty metres.
  const shore = new URL('../../web/src/map/basemap/new-york-shore.json', import.meta.url)
  const boroughs = (JSON.parse(readFileSync(shore, 'utf8')) as Ring[]).map((ring) => [ring])
  return [
    featureOf('cover', { type: 'Polygon', coordinates: [cover] }),
    ...[...nearby.map((rings) => rings.map(rounded)), ...boroughs].map((coordinates) =>
      featureOf('fine_land', { type: 'Polygon', coordinates }),
    ),
  ]
}

function lakes() {
  const { features } = readPackageFile<{ features: Shape[] }>('mapeo-offline-map/dist/lakes.json')
  return features.flatMap(({ geometry, properties }) => {
    const polygons = polygonsOf(geometry)
      .map((rings) => rings.map(withoutFlatCorners).filter(isWorthDrawing))
      .filter((rings) => rings.length > 0)
    const largest = polygons.map(([outline]) => outline as Ring).sort((a, b) => areaOf(b) - areaOf(a))[0]
    if (largest === undefined) return []
    const rank = Number(properties?.['scalerank'] ?? 6)
    const name = properties?.['name']
    const water = polygons.map((rings) =>
      featureOf('water', { type: 'Polygon', coordinates: rings.map(rounded) }, { class: 'lake' }),
    )
    if (typeof name !== 'string' || name === '') return water
    const label = { class: 'lake', name, min_zoom: Math.min(7, 2.5 + rank * 0.7) }
    return [...water, featureOf('water_name', pointOf(innermost(largest)), label)]
  })
}

function rivers() {
  const { features } = readPackageFile<{ features: Shape[] }>('mapeo-offline-map/dist/rivers.json')
  return features.map(({ geometry, properties }) => {
    const lines = (geometry?.type === 'LineString' ? [geometry.coordinates] : geometry?.coordinates) as Point[][]
    return featureOf(
      'waterway',
      { type: 'MultiLineString', coordinates: lines.map((line) => rounded(withoutFlatCorners(line))) },
      { class: 'river', min_zoom: Number(properties?.['min_zoom'] ?? 5) },
    )
  })
}

function borderOf(topology: Topology, shapes: GeometryCollection, level: number) {
  const lines = mesh(topology, shapes as Parameters<typeof mesh>[1], (a, b) => a !== b)
  const coordinates = lines.coordinates.map((line) => rounded(unwrappedLine(line as Point[])))
  return featureOf('boundary', { type: 'MultiLineString', coordinates }, { admin_level: level })
}

function countryName({ geometry, properties }: Shape) {
  const name = String(properties?.['name'])
  const largest = largestRing(geometry)
  if (largest === undefined || name === 'Antarctica' || areaOf(largest) < smallestNamedDeg2) return []
  const rank = rankOf(areaOf(largest), [250, 60, 15, 3])
  const label = { class: 'country', name: longNames[name] ?? name, rank }
  return [featureOf('place', pointOf(namePlaces[name] ?? innermost(largest)), label)]
}

function stateName({ geometry, properties }: Shape) {
  const largest = largestRing(geometry)
  if (largest === undefined) return []
  const label = { class: 'state', name: String(properties?.['name']), rank: rankOf(areaOf(largest), [30, 8, 2]) }
  return [featureOf('place', pointOf(innermost(largest)), label)]
}

function largestRing(geometry: Geometry): Ring | undefined {
  const outlines = polygonsOf(geometry).map((rings) => unwrapped(rings[0] as Ring))
  return outlines.sort((a, b) => areaOf(b) - areaOf(a))[0]
}

/** The rank by area; 1 is the largest. */
function rankOf(area: number, leastAreas: readonly number[]): number {
  const index = leastAreas.findIndex((least) => area > least)
  return (index < 0 ? leastAreas.length : index) + 1
}

function graticule(): Point[][] {
  const meridians = Array.from({ length: 36 }, (_, i): Point[] => [
    [i * 10 - 180, -80],
    [i * 10 - 180, 80],
  ])
  const parallels = Array.from({ length: 17 }, (_, i): Point[] => [
    [-180, i * 10 - 80],
    [180, i * 10 - 80],
  ])
  return [...meridians, ...parallels]
}
