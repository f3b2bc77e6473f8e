import type { FilterSpecification, LayerSpecification } from 'maplibre-gl'
import { type MapLayers, mapLayers } from './map-layers.ts'
import type { MapPalette } from './map-palette.ts'

/** The layers of the embedded basemap: those of the schema, and its land, shore and graticule. */
export function worldLayers(sources: { world: string; places: string }, colours: MapPalette): MapLayers {
  const { areas, lines, labels } = mapLayers(
    'world',
    (layer) => (layer === 'place' ? { source: sources.places } : { source: sources.world, filter: isIn(layer) }),
    colours,
  )
  return { areas: [...ground(sources.world, colours), ...areas], lines, labels: labels.map(withEarlyNames) }

  /** The names of countries and states appear at a lower zoom than those of towns. */
  function withEarlyNames(layer: LayerSpecification): LayerSpecification {
    if (layer.id !== 'world-country' && layer.id !== 'world-state') return layer
    const filter = 'filter' in layer ? ['all', isIn('place'), layer.filter] : isIn('place')
    return { ...layer, source: sources.world, filter } as LayerSpecification
  }
}

function isIn(layer: string): FilterSpecification {
  return ['==', ['get', 'layer'], layer]
}

function ground(source: string, colours: MapPalette): LayerSpecification[] {
  const fill = (layer: string, colour: string, minzoom: number): LayerSpecification => ({
    id: `world-${layer}`,
    type: 'fill',
    source,
    filter: isIn(layer),
    minzoom,
    paint: { 'fill-color': colour },
  })
  return [
    {
      id: 'world-graticule',
      type: 'line',
      source,
      filter: isIn('graticule'),
      maxzoom: 9,
      paint: { 'line-color': colours.graticule, 'line-width': 1 },
    },
    fill('land', colours.land, 0),
    {
      id: 'world-shore',
      type: 'line',
      source,
      filter: isIn('land'),
      minzoom: 3,
      paint: { 'line-color': colours.shore, 'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.4, 12, 1.4] },
    },
    // A finer shore replaces the coarse one around the default centre.
    fill('cover', colours.water, 7),
    fill('fine_land', colours.land, 7),
  ]
}
