import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type MapContent, mapStyle } from './map-style.ts'
import { wholeWorld } from './tile-json.ts'

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

test('street maps of our own lie above those of a service, and both above the world, names above all of them', () => {
  const ids = layersOf({ own: [tiles], online: tiles })
  const order = ['world-land', 'online-road-minor', 'own-0-mask', 'own-0-road-minor', 'world-city', 'online-city']
  expect(order.map((id) => ids.indexOf(id))).toEqual(order.map((id) => ids.indexOf(id)).toSorted((a, b) => a - b))
  expect(ids).toEqual(expect.arrayContaining(order))
})

test('the world is given up only once a service has proved to be there', () => {
  expect(layersOf({ online: tiles })).toContain('world-land')
  expect(layersOf({ online: tiles, hasWorld: false })).not.toContain('world-land')
})

test('a whole style is drawn with its own layers only, and its ground waits until it has proved to be there', () => {
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
    'online-name',
  ])
  expect(layersOf({ online })).not.toContain('online-ground')
})

test('imagery hides the drawn ground, and neither borders nor names', () => {
  const satellite = [{ kind: 'tiles' as const, url: 'a', bounds: null, max_zoom: 8, attribution: null }]
  const ids = layersOf({ satellite, hasShippedImagery: true })
  const order = ['world-land', 'world-border', 'shipped-imagery', 'satellite-0', 'world-border-above', 'world-country']
  expect(ids.filter((id) => order.includes(id))).toEqual(order)
})
