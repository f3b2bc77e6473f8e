import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { wholeWorld } from '../tiles/tile-json.ts'
import { type MapContent, mapStyle } from './map-style.ts'

const bare: MapContent = {
  scheme: 'light',
  hasPlaces: true,
  own: [],
  online: null,
  hasWorld: true,
  hasShippedImagery: false,
  satellite: [],
}
const tiles = { tiles: ['https://a.example/{z}/{x}/{y}'], bounds: wholeWorld, minzoom: 0, maxzoom: 14, attribution: '' }
const layersOf = (content: Partial<MapContent>) => mapStyle({ ...bare, ...content }).layers.map(({ id }) => id)

beforeEach(() => vi.stubGlobal('document', { baseURI: 'https://hither.example/pins/1' }))
afterEach(() => void vi.unstubAllGlobals())

test("draws the operator's own streets above online streets, both above the world, and names on top", () => {
  const ids = layersOf({ own: [tiles], online: tiles })
  const order = ['world-land', 'online-road-minor', 'own-0-mask', 'own-0-road-minor', 'world-city', 'online-city']
  expect(order.map((id) => ids.indexOf(id))).toEqual(order.map((id) => ids.indexOf(id)).toSorted((a, b) => a - b))
  expect(ids).toEqual(expect.arrayContaining(order))
})

test('removes the embedded world only after an online tile has arrived', () => {
  expect(layersOf({ online: tiles })).toContain('world-land')
  expect(layersOf({ online: tiles, hasWorld: false })).not.toContain('world-land')
})

test('draws an external style with its own layers, and its background only after a tile has arrived', () => {
  const online = {
    sources: { 'online-streets': { type: 'vector' as const, tiles: tiles.tiles } },
    layers: [
      { id: 'online-ground', type: 'background' as const },
      { id: 'online-name', type: 'symbol' as const, source: 'online-streets', 'source-layer': 'place' },
      { id: 'online-road', type: 'line' as const, source: 'online-streets', 'source-layer': 'transportation' },
    ],
    glyphs: 'https://a.example/{fontstack}/{range}.pbf',
    sprite: 'https://a.example/sprite',
  }
  const style = mapStyle({ ...bare, online, hasWorld: false })
  expect(style).toMatchObject({ glyphs: online.glyphs, sprite: online.sprite })
  expect(style.sources['online-streets']).toEqual(online.sources['online-streets'])
  expect(layersOf({ online, hasWorld: false })).toEqual([
    'ground',
    'online-ground',
    'online-road',
    'grid',
    'area',
    'area-edge',
    'online-name',
  ])
  expect(layersOf({ online })).not.toContain('online-ground')
})

test('imagery replaces the drawn ground and keeps borders and names', () => {
  const satellite = [{ kind: 'tiles' as const, url: 'a', bounds: null, max_zoom: 8, attribution: null }]
  const ids = layersOf({ satellite, hasShippedImagery: true })
  const order = ['world-land', 'world-border', 'shipped-imagery', 'satellite-0', 'world-border-above', 'world-country']
  expect(ids.filter((id) => order.includes(id))).toEqual(order)
})
