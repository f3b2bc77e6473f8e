import { afterEach, expect, test, vi } from 'vitest'
import { isExternalStyle, loadExternalStyle } from './external-style.ts'

const address = 'https://maps.example/v1/styles/streets.json'
const { signal } = new AbortController()

afterEach(() => void vi.unstubAllGlobals())

const style = {
  version: 8,
  glyphs: '/fonts/{fontstack}/{range}.pbf',
  sprite: '../sprites/streets',
  sources: {
    streets: { type: 'vector', url: '../tiles.json', maxzoom: 12 },
    hills: {
      type: 'raster',
      tiles: ['/hills/{z}/{x}/{y}.png'],
      tileSize: 256,
      attribution: '<b onclick="x">Hills</b>',
    },
    line: { type: 'geojson', data: 'line.json' },
  },
  layers: [
    { id: 'sky', type: 'background' },
    { id: 'road', type: 'line', source: 'streets', 'source-layer': 'transportation' },
    { id: 'name', type: 'symbol', source: 'streets', 'source-layer': 'place' },
  ],
}

test('an external style keeps all sources and layers with prefixed ids and absolute addresses', async () => {
  const fetched = vi.fn(async (_: string) =>
    Response.json({
      tiles: ['tiles/{z}/{x}/{y}'],
      minzoom: 1,
      maxzoom: 14,
      vector_layers: [],
      attribution: 'Maps &copy;',
    }),
  )
  vi.stubGlobal('fetch', fetched)
  const whole = await loadExternalStyle(style, address, signal)
  expect(fetched.mock.calls.map(([asked]) => asked)).toEqual(['https://maps.example/v1/tiles.json'])
  expect(whole).toEqual({
    glyphs: 'https://maps.example/fonts/{fontstack}/{range}.pbf',
    sprite: 'https://maps.example/v1/sprites/streets',
    sources: {
      'online-streets': {
        type: 'vector',
        tiles: ['https://maps.example/v1/tiles/{z}/{x}/{y}'],
        minzoom: 1,
        maxzoom: 12,
        attribution: 'Maps ©',
      },
      'online-hills': {
        type: 'raster',
        tiles: ['https://maps.example/hills/{z}/{x}/{y}.png'],
        tileSize: 256,
        attribution: 'Hills',
      },
      'online-line': { type: 'geojson', data: 'https://maps.example/v1/styles/line.json' },
    },
    layers: [
      { id: 'online-sky', type: 'background' },
      { id: 'online-road', type: 'line', source: 'online-streets', 'source-layer': 'transportation' },
      { id: 'online-name', type: 'symbol', source: 'online-streets', 'source-layer': 'place' },
    ],
  })
})

test('rejects a style whose source refuses the key, and a style with invalid addresses', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 403 }))
  await expect(loadExternalStyle(style, address, signal)).rejects.toMatchObject({ reason: 'key' })
  const broken = { ...style, sources: {}, sprite: 'https://' }
  await expect(loadExternalStyle(broken, address, signal)).rejects.toMatchObject({ reason: 'connection' })
})

test('a document with layers and sources is a style at any address', () => {
  expect(isExternalStyle(style)).toBe(true)
  expect(isExternalStyle({ tiles: ['/{z}/{x}/{y}'], vector_layers: [] })).toBe(false)
})
