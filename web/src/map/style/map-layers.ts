import type { FilterSpecification, LayerSpecification } from 'maplibre-gl'
import { areas } from './area-layers.ts'
import type { Drawing } from './drawings.ts'
import { labels } from './label-layers.ts'
import type { MapPalette } from './map-palette.ts'
import { borders, ways } from './way-layers.ts'

/**
 * Where the features of an OpenMapTiles layer are: in a layer of vector tiles, or in the features of a GeoJSON file.
 */
interface LayerPlace {
  source: string
  'source-layer'?: string
  filter?: FilterSpecification
}
type FindLayer = (sourceLayer: string) => LayerPlace

export interface MapLayers {
  areas: LayerSpecification[]
  lines: LayerSpecification[]
  labels: LayerSpecification[]
}

/** Returns the layers for the schema. A layer that the source lacks is left out. */
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
