import { afterEach, expect, test, vi } from 'vitest'
import { fetchTiles, TilesError, tilesOf, wholeWorld } from './tile-json.ts'

const address = 'https://maps.example/v1/planet.json'
const { signal } = new AbortController()

afterEach(() => void vi.unstubAllGlobals())

function answering(...answers: Response[]) {
  const fetched = vi.fn(async (_: string) => answers.shift() as Response)
  vi.stubGlobal('fetch', fetched)
  return fetched
}

test('resolves addresses relative to their document and keeps the placeholders', () => {
  const tiles = tilesOf({ tiles: ['../tiles/{z}/{x}/{y}.pbf?key=a'], maxzoom: 12 }, address, 'Maps')
  expect(tiles).toEqual({
    tiles: ['https://maps.example/tiles/{z}/{x}/{y}.pbf?key=a'],
    bounds: wholeWorld,
    minzoom: 0,
    maxzoom: 12,
    attribution: 'Maps',
  })
})

test.each([
  ['a page', () => new Response('<p>Sign in</p>'), 'connection'],
  ['nothing to draw', () => Response.json({ name: 'Maps' }), 'connection'],
  ['500', () => new Response('', { status: 500 }), 'connection'],
  ['401', () => new Response('', { status: 401 }), 'key'],
  ['403', () => new Response('', { status: 403 }), 'key'],
])('rejects a service that responds with %s', async (_, answer, reason) => {
  answering(answer())
  const error = await fetchTiles(address, '', signal).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TilesError)
  expect(error).toMatchObject({ reason })
})
