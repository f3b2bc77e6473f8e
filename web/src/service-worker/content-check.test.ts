import { expect, test } from 'vitest'
import { isContentOf } from './content-check.ts'

const page = '<!doctype html><div id="root"></div>'
const portal = '<!doctype html><title>Sign in to the network</title>'

test.each([
  ['/assets/texts/en-home-abcdefgh.json', 'application/json; charset=utf-8', '{"a":"b"}', true],
  ['/assets/texts/en-home-abcdefgh.json', 'application/json', '{"a":', false],
  ['/assets/texts/en-home-abcdefgh.json', 'text/html', portal, false],
  ['/assets/app-abcdefgh.js', 'text/javascript; charset=utf-8', 'export {}', true],
  ['/assets/app-abcdefgh.js', 'text/html; charset=utf-8', portal, false],
  ['/assets/app-abcdefgh.css', 'text/css', 'a {}', true],
  ['/assets/font-abcdefgh.woff2', 'font/woff2', '', true],
  ['/index.html', 'text/html; charset=utf-8', page, true],
  ['/index.html', 'text/html', portal, false],
  ['/manifest.webmanifest', 'application/manifest+json', '{}', true],
  ['/imagery/1/0/0.webp', 'image/webp', '', true],
  ['/imagery/1/0/0.webp', 'text/html', portal, false],
  ['/api/maps/streets/1/0/0', 'application/x-protobuf', '', true],
  ['/tiles/1/0/0.pbf', '', '', true],
  ['/api/maps/streets/1/0/0', 'text/html', portal, false],
  ['/api/maps/streets/1/0/0', 'application/json', '{}', false],
])('%s of the type %s with %j is the requested file: %s', async (path, type, content, isIt) => {
  const response = new Response(content, { headers: type === '' ? {} : { 'Content-Type': type } })
  if (type === '') response.headers.delete('Content-Type')
  expect(await isContentOf(`https://hither.example${path}`, response)).toBe(isIt)
})
