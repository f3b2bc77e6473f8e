import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { request as rawRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { getConfig } from '@hither/contract/config.ts'
import { getOwnStreetMap } from '@hither/contract/maps.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../test/harness.ts'
import { pmtilesOf } from './fixture.ts'

const tiles = [
  { z: 12, x: 1205, y: 1539, data: 'streets of midtown' },
  { z: 13, x: 2411, y: 3079, data: 'streets, nearer' },
]

let dataDir: string
let folder: string
let server: TestServer

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'maps-'))
  folder = join(dataDir, 'maps')
  server = await startServer({ DATA_DIR: dataDir, MAP_ONLINE: 'off' })
})

afterAll(async () => {
  await server.close()
  await rm(dataDir, { recursive: true })
})

beforeEach(() => mkdir(folder))
afterEach(() => rm(folder, { recursive: true }))

const drop = (name: string, bytes: Buffer | string) => writeFile(join(folder, name), bytes)

async function ownStreets() {
  return (await server.call(getConfig, {})).body.map.own_streets
}

interface Raw {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

/** Sends a request without what `fetch` does by itself: decompression, Accept-Encoding, path normalization. */
function raw(path: string, headers: Record<string, string> = {}): Promise<Raw> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    rawRequest({ hostname, port, path, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
      )
    })
      .on('error', reject)
      .end()
  })
}

test('a street map added to the folder is offered without a restart, and no longer after its removal', async () => {
  expect(await ownStreets()).toEqual([])
  await drop('nyc.pmtiles', pmtilesOf({ tiles }))
  expect(await ownStreets()).toEqual([
    {
      name: 'nyc',
      tilejson_path: '/maps/nyc',
      bounds: [-74.1, 40.6, -73.8, 40.9],
      min_zoom: 12,
      max_zoom: 13,
      attribution: expect.stringContaining('OpenStreetMap contributors'),
    },
  ])
  expect((await raw('/api/maps/nyc/12/1205/1539')).status).toBe(200)
  await rm(join(folder, 'nyc.pmtiles'))
  expect(await ownStreets()).toEqual([])
  expect((await raw('/api/maps/nyc/12/1205/1539')).status).toBe(404)
  expect((await server.call(getOwnStreetMap, { params: { name: 'nyc' } })).status).toBe(404)
})

test('the TileJSON names tiles at the origin of the request, and needs no authentication', async () => {
  await drop('New York & more.pmtiles', pmtilesOf({ tiles }))
  const { status, body } = await server.call(getOwnStreetMap, { params: { name: 'New York & more' } })
  expect(status).toBe(200)
  expect(body).toMatchObject({ tilejson: '3.0.0', minzoom: 12, maxzoom: 13, vector_layers: [{ id: 'transportation' }] })
  const address = String(body.tiles[0]).replace('{z}', '12').replace('{x}', '1205').replace('{y}', '1539')
  expect(address.startsWith(`${server.url}/api/maps/New%20York%20%26%20more/12/1205/1539?v=`)).toBe(true)
  const answer = await fetch(address)
  expect(await answer.text()).toBe('streets of midtown')
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})

test('the configured https address is used behind a proxy that hides the protocol', async () => {
  await drop('nyc.pmtiles', pmtilesOf({ tiles }))
  const { body } = await raw('/api/maps/nyc', { host: 'not a host' })
  expect(JSON.parse(body.toString()).tiles[0]).toMatch(/^http:\/\/localhost:3000\/api\/maps\/nyc\//)
})

test('a tile is sent compressed as stored, and decompressed for clients without compression', async () => {
  await drop('nyc.pmtiles', pmtilesOf({ tiles }))
  const packed = await raw('/api/maps/nyc/12/1205/1539', { 'accept-encoding': 'gzip, br' })
  expect(packed.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': 'application/vnd.mapbox-vector-tile',
    'cache-control': 'public, max-age=3600',
  })
  expect(gunzipSync(packed.body).toString()).toBe('streets of midtown')
  const plain = await raw('/api/maps/nyc/12/1205/1539')
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.body.toString()).toBe('streets of midtown')
  expect(plain.headers['etag']).not.toBe(packed.headers['etag'])
})

test('a tile that is stored uncompressed is sent correctly', async () => {
  await drop('nyc.pmtiles', pmtilesOf({ tiles, tileCompression: 1 }))
  const tile = await fetch(`${server.url}/api/maps/nyc/13/2411/3079`)
  expect(await tile.text()).toBe('streets, nearer')
})

test('a cached tile returns 304 until the file changes', async () => {
  await drop('nyc.pmtiles', pmtilesOf({ tiles }))
  const first = await raw('/api/maps/nyc/12/1205/1539')
  const known = { 'if-none-match': String(first.headers['etag']) }
  expect((await raw('/api/maps/nyc/12/1205/1539', known)).status).toBe(304)
  await drop('next', pmtilesOf({ tiles: [{ z: 12, x: 1205, y: 1539, data: 'a new street' }] }))
  await rename(join(folder, 'next'), join(folder, 'nyc.pmtiles'))
  const next = await raw('/api/maps/nyc/12/1205/1539', known)
  expect(next).toMatchObject({ status: 200, body: Buffer.from('a new street') })
})

test('a file overwritten in place is read again', async () => {
  await drop('nyc.pmtiles', pmtilesOf({ tiles }))
  expect((await raw('/api/maps/nyc/12/1205/1539')).status).toBe(200)
  await drop(
    'nyc.pmtiles',
    pmtilesOf({ tiles: [{ z: 13, x: 2411, y: 3079, data: 'all is different' }], bounds: [0, 0, 1, 1] }),
  )
  expect((await raw('/api/maps/nyc/13/2411/3079')).body.toString()).toBe('all is different')
})

test('an empty tile returns 204, and a zoom outside the map 404', async () => {
  await drop('nyc.pmtiles', pmtilesOf({ tiles }))
  expect((await raw('/api/maps/nyc/12/0/0')).status).toBe(204)
  for (const place of ['11/602/769', '14/4822/6158', '12/4096/0', '12/0/4096'])
    expect((await raw(`/api/maps/nyc/${place}`)).status).toBe(404)
  for (const place of ['12/1205/-1', '12/1205/one', '23/0/0'])
    expect((await raw(`/api/maps/nyc/${place}`)).status).toBe(422)
})

test.each(['/api/maps/nyc', '/api/maps/nyc/12/1205/1539'])('returns 405 for the wrong method at %s', async (path) => {
  const answer = await server.request('POST', path)
  expect(answer).toMatchObject({ status: 405, body: { detail: 'Method not allowed', code: 'method_not_allowed' } })
  expect(answer.headers.get('allow')).toBe('GET')
})

test.each(['..%2Fsecret', '%2e%2e%2fsecret', '..', '..%5Csecret', 'secret%00', '%2Fetc%2Fpasswd', '.hidden'])(
  'returns 404 for the name %s, which would leave the folder',
  async (name) => {
    await writeFile(join(dataDir, 'secret.pmtiles'), pmtilesOf({ tiles }))
    await drop('.hidden.pmtiles', pmtilesOf({ tiles }))
    expect((await raw(`/api/maps/${name}`)).status).toBe(404)
    expect((await raw(`/api/maps/${name}/12/1205/1539`)).status).toBe(404)
  },
)

test('files that are no street maps are skipped, each with its own log line', async () => {
  await drop('broken.pmtiles', 'PMTiles? No.')
  await drop('cut.pmtiles', pmtilesOf({ tiles }).subarray(0, 140))
  await drop('empty.pmtiles', '')
  await drop('notes.txt', 'nothing')
  await drop('picture.pmtiles', pmtilesOf({ tiles, tileType: 2 }))
  await drop('protomaps.pmtiles', pmtilesOf({ tiles, metadata: { vector_layers: [{ id: 'roads' }] } }))
  await drop('squeezed.pmtiles', pmtilesOf({ tiles, tileCompression: 3 }))
  await mkdir(join(folder, 'folder.pmtiles'))
  await symlink(join(folder, 'nowhere'), join(folder, 'link.pmtiles'))
  await drop('good.pmtiles', pmtilesOf({ tiles }))
  expect((await ownStreets()).map(({ name }) => name)).toEqual(['good'])
  expect((await raw('/api/maps/broken/12/1205/1539')).status).toBe(404)
})

test('the attribution of a file is reduced to text and links', async () => {
  const attribution =
    '<a href="https://a.example/" onclick="steal()">A</a> <img src=x onerror=steal()> <a href="javascript:steal()">B</a> & <b>C</b>'
  await drop('nyc.pmtiles', pmtilesOf({ tiles, metadata: { attribution, vector_layers: [{ id: 'transportation' }] } }))
  expect((await ownStreets())[0]?.attribution).toBe(
    '<a href="https://openmaptiles.org/">© OpenMapTiles</a> <a href="https://a.example/">A</a>  B & C',
  )
})
