import latinUrl from '@fontsource-variable/plus-jakarta-sans/files/plus-jakarta-sans-latin-wght-normal.woff2?url'
// biome-ignore lint/style/useImportType: the other form would load the engine with whoever imports this file
import type { StyleSpecification } from 'maplibre-gl'
import worldUrl from './basemap/world.json?url'
import { mapStrings } from './strings.ts'

export type MapScheme = 'light' | 'dark'

const palettes = {
  light: {
    water: '#D3DFEA',
    land: '#F6F4EF',
    shore: '#B9C9D8',
    border: '#C3BCCB',
    line: '#C4D2DF',
    grid: '#1D2B4A',
    text: '#5F5A6E',
    halo: '#FBFAF7',
  },
  dark: {
    water: '#0D131D',
    land: '#1C232E',
    shore: '#2E3A4A',
    border: '#465063',
    line: '#1A2432',
    grid: '#C9D6F2',
    text: '#A3AEC2',
    halo: '#141A23',
  },
} as const

export const worldSource = 'world'
export const gridSource = 'grid'

/** Our own style, quiet so that pins carry the colour. It names no address but files of this origin. */
export function mapStyle(scheme: MapScheme): StyleSpecification {
  const colours = palettes[scheme]
  return {
    version: 8,
    // No glyph server: names are drawn with the app's own typeface.
    'font-faces': { 'Plus Jakarta Sans': latinUrl },
    sources: {
      [worldSource]: {
        type: 'geojson',
        data: new URL(worldUrl, document.baseURI).href,
        attribution: mapStrings.naturalEarth,
        maxzoom: 10,
        tolerance: 0.3,
      },
      [gridSource]: { type: 'geojson', data: { type: 'FeatureCollection', features: [] } },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
      {
        id: 'graticule',
        type: 'line',
        source: worldSource,
        filter: ['==', ['get', 'kind'], 'graticule'],
        maxzoom: 9,
        paint: { 'line-color': colours.line, 'line-width': 1 },
      },
      {
        id: 'land',
        type: 'fill',
        source: worldSource,
        filter: ['==', ['get', 'kind'], 'land'],
        paint: { 'fill-color': colours.land },
      },
      {
        id: 'shore',
        type: 'line',
        source: worldSource,
        filter: ['==', ['get', 'kind'], 'land'],
        minzoom: 3,
        paint: { 'line-color': colours.shore, 'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.4, 12, 1.6] },
      },
      {
        id: 'border',
        type: 'line',
        source: worldSource,
        filter: ['==', ['get', 'kind'], 'border'],
        layout: { 'line-join': 'round' },
        paint: { 'line-color': colours.border, 'line-width': ['interpolate', ['linear'], ['zoom'], 1, 0.5, 10, 2] },
      },
      {
        id: 'grid',
        type: 'line',
        source: gridSource,
        minzoom: 9,
        paint: {
          'line-color': colours.grid,
          'line-width': 1,
          'line-opacity': ['interpolate', ['linear'], ['zoom'], 9, 0, 11, 0.07],
        },
      },
      {
        id: 'country',
        type: 'symbol',
        source: worldSource,
        filter: ['all', ['==', ['get', 'kind'], 'country'], ['<=', ['get', 'rank'], ['+', ['zoom'], 0.5]]],
        maxzoom: 8,
        layout: {
          'text-field': ['get', 'name'],
          'text-font': ['Plus Jakarta Sans'],
          'text-size': ['interpolate', ['linear'], ['zoom'], 1, 11, 6, 17],
          'text-max-width': 7,
          'text-padding': 8,
        },
        paint: { 'text-color': colours.text, 'text-halo-color': colours.halo, 'text-halo-width': 1.4 },
      },
    ],
  }
}
