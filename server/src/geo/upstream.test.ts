import { afterEach, beforeEach, expect, test } from 'vitest'
import { readPhoton } from './answers.ts'
import { breakerLimits, createBreaker } from './breaker.ts'
import { type FakeGeocoder, json, photonAnswer, startGeocoder } from './harness.ts'
import { createLru } from './lru.ts'
import { createUpstream, NoAnswer } from './upstream.ts'

let geocoder: FakeGeocoder
let time = 0
const now = () => new Date(time)
const logged: string[] = []
const log = {
  warn: (...line: unknown[]) => logged.push(JSON.stringify(['warn', ...line])),
  debug: (...line: unknown[]) => logged.push(JSON.stringify(['debug', ...line])),
}

beforeEach(async () => {
  geocoder = await startGeocoder()
  time = Date.parse('2026-11-21T12:00:00Z')
  logged.length = 0
})

afterEach(() => geocoder.close())

function open(options: { timeoutMs?: number; url?: string } = {}) {
  return createUpstream({ url: geocoder.url, userAgent: 'Hither', read: readPhoton, now, log, ...options })
}

const place = { lat: '40.7484', lon: '-73.9857' }

test('one that keeps silent is given up, and one that speaks too slowly, too', async () => {
  const upstream = open({ timeoutMs: 100 })
  geocoder.answer = () => undefined
  await expect(upstream.get('/reverse', place)).rejects.toThrow('it took too long')
  geocoder.answer = (_request, response) => response.writeHead(200).write('{"features":')
  await expect(upstream.get('/reverse', place)).rejects.toThrow('it took too long')
})

test('whose turn does not come in time is not asked for at all, nor held against the geocoder', async () => {
  const upstream = open({ timeoutMs: 100 })
  geocoder.answer = () => undefined
  const answers = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => upstream.get('/reverse', place)))
  expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
  expect(geocoder.asked).toHaveLength(1)
  geocoder.answer = json(photonAnswer())
  expect(await upstream.get('/reverse', place)).toEqual([])
})

test('one request runs at a time, in order', async () => {
  let running = 0
  let most = 0
  geocoder.answer = (request, response) => {
    running += 1
    most = Math.max(most, running)
    setImmediate(() => {
      running -= 1
      json(photonAnswer())(request, response)
    })
  }
  const upstream = open()
  await Promise.all(['a', 'b', 'c', 'd'].map((q) => upstream.get('/api/', { q })))
  expect(most).toBe(1)
  expect(geocoder.asked.map(({ query }) => query.get('q'))).toEqual(['a', 'b', 'c', 'd'])
})

test('a crowd is turned away rather than left waiting', async () => {
  const held: (() => void)[] = []
  geocoder.answer = (request, response) => void held.push(() => json(photonAnswer())(request, response))
  const upstream = open()
  const waiting = Array.from({ length: 20 }, () => upstream.get('/reverse', place))
  await expect(upstream.get('/reverse', place)).rejects.toThrow('too many are waiting')
  await expect.poll(() => held.length).toBe(1)
  geocoder.answer = json(photonAnswer())
  held[0]?.()
  await Promise.all(waiting)
})

test('one that cannot be reached is not asked after five times, and said so without a place', async () => {
  await geocoder.close()
  const upstream = open()
  for (let i = 0; i < 5; i++) await expect(upstream.get('/reverse', place)).rejects.toThrow('it cannot be reached')
  await expect(upstream.get('/reverse', place)).rejects.toThrow('it failed lately')
  expect(logged.at(-1)).toContain('warn')
  expect(logged.join('')).not.toMatch(/40\.7484|73\.9857/)
  geocoder = await startGeocoder()
})

test('who asks to be left alone is, for as long as they ask', async () => {
  geocoder.answer = json({}, 429, { 'retry-after': '120' })
  const upstream = open()
  await expect(upstream.get('/reverse', place)).rejects.toThrow(NoAnswer)
  geocoder.answer = json(photonAnswer())
  time += 119_000
  await expect(upstream.get('/reverse', place)).rejects.toThrow('it failed lately')
  time += 1_000
  expect(await upstream.get('/reverse', place)).toEqual([])
})

test('whoever sends the question elsewhere is not followed', async () => {
  geocoder.answer = (request, response) => {
    if (request.url?.startsWith('/reverse')) json({}, 302, { location: '/inside' })(request, response)
    else json(photonAnswer())(request, response)
  }
  await expect(open().get('/reverse', place)).rejects.toThrow(NoAnswer)
  expect(geocoder.asked.map(({ path }) => path)).toEqual(['/reverse'])
})

test('what the configured address holds besides is kept', async () => {
  await open({ url: `${geocoder.url}/geo/?key=k#nominatim` }).get('/reverse', place)
  expect(geocoder.asked[0]?.path).toBe('/geo/reverse')
  expect(Object.fromEntries(geocoder.asked[0]?.query ?? [])).toEqual({ key: 'k', ...place })
})

test('each failure after the while opens the breaker for longer, up to a limit, and one answer closes it', () => {
  const breaker = createBreaker(now)
  const { failures, firstMs, longestMs } = breakerLimits
  for (let i = 0; i < failures - 1; i++) breaker.failed()
  expect(breaker.isOpen()).toBe(false)
  breaker.failed()
  for (let whileMs = firstMs; whileMs < longestMs; whileMs *= 2) {
    time += whileMs - 1
    expect(breaker.isOpen()).toBe(true)
    time += 1
    expect(breaker.isOpen()).toBe(false)
    breaker.failed()
  }
  time += longestMs
  expect(breaker.isOpen()).toBe(false)
  breaker.succeeded()
  for (let i = 0; i < failures - 1; i++) breaker.failed()
  expect(breaker.isOpen()).toBe(false)
})

test('a clock that is set back does not keep the breaker open', () => {
  const breaker = createBreaker(now)
  for (let i = 0; i < breakerLimits.failures; i++) breaker.failed()
  expect(breaker.isOpen()).toBe(true)
  time -= breakerLimits.askedMs
  expect([breaker.isOpen(), breaker.openUntil()]).toEqual([false, null])
})

test('of what is kept the longest unused goes first, and nothing stays for ever', () => {
  const lru = createLru<string>(2, 1000, now)
  lru.set('a', 'A')
  lru.set('b', 'B')
  expect(lru.get('a')).toBe('A')
  lru.set('c', 'C')
  expect([lru.get('a'), lru.get('b'), lru.get('c')]).toEqual(['A', undefined, 'C'])
  time += 1000
  expect(lru.get('a')).toBeUndefined()
})
