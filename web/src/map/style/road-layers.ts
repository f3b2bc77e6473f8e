import type { ExpressionSpecification } from 'maplibre-gl'
import { type Drawing, growing, isClass, isLine, notInTunnel, rounded } from './drawings.ts'
import type { MapPalette } from './map-palette.ts'

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

/** All road casings are below all road fills, so that crossings look open. */
export function roads(c: MapPalette): Drawing[] {
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
