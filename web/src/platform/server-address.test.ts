import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { isHitherServer, originOf } from './server-address.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['hither.example.org', 'https://hither.example.org'],
  ['  https://Hither.example.org/login?x#y ', 'https://hither.example.org'],
  ['hither.example.org:8443', 'https://hither.example.org:8443'],
  ['HTTPS://hither.example.org', 'https://hither.example.org'],
  ['192.168.1.7', 'https://192.168.1.7'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
])('the origin of %s is %s', (text, origin) => {
  expect(originOf(text)).toBe(origin)
})

test.each([
  [''],
  ['   '],
  ['http://hither.example.org'],
  ['http://localhost.evil.example.org'],
  ['http://192.168.1.7:3000'],
  ['ftp://hither.example.org'],
  ['javascript://hither.example.org/%0aalert(1)'],
  ['https://ann:secret@hither.example.org'],
  ['hither.example.org@evil.example.org'],
  ['not an address'],
])('%s is not a server address', (text) => {
  expect(originOf(text)).toBeNull()
})

test('any input gives an https origin, an origin of the device itself, or null', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.domain()), (text) => {
      const origin = originOf(text)
      expect(origin ?? 'https://').toMatch(/^https:\/\/|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/)
      if (origin !== null) expect(originOf(origin)).toBe(origin)
    }),
  )
})

test.each([
  [Response.json({ version: '1', map: {}, features: {} }), true],
  [Response.json({ version: '1' }), false],
  [Response.json(null), false],
  [new Response('<html>'), false],
  [new Response('{}', { status: 404 }), false],
])('isHitherServer returns for the response %s: %s', async (response, isOne) => {
  const fetched = vi.fn(async (_url: string, _init: RequestInit) => response)
  vi.stubGlobal('fetch', fetched)
  expect(await isHitherServer('https://hither.example.org')).toBe(isOne)
  expect(fetched).toHaveBeenCalledWith(
    'https://hither.example.org/api/config',
    expect.objectContaining({ redirect: 'error', credentials: 'omit' }),
  )
})
