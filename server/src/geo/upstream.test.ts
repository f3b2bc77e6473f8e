import { afterEach, beforeEach, expect, test } from 'vitest'
import { breakerLimits, createBreaker } from './breaker.ts'
import { readPhoton } from './geocoder-responses.ts'
import { type FakeGeocoder, json, photonAnswer, startGeocoder } from './harness.ts'
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

test('times out if the service is silent or too slow', async () => {
  const upstream = open({ timeoutMs: 100 })
  geocoder.answer = () => undefined
  await expect(upstream.get('/reverse', place)).rejects.toThrow('it took too long')
  geocoder.answer = (_request, response) => response.writeHead(200).write('{"features":')
  await expect(upstream.get('/reverse', place)).rejects.toThrow('it took too long')
})

test('fails without a request if the queue takes too long, and does not count that as a failure of the service', async () => {
  // The time limit also holds for the last request, which a busy machine may answer late.
  const upstream = open({ timeoutMs: 800 })
  geocoder.answer = () => undefined
  const answers = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => upstream.get('/reverse', place)))
  expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
  expect(geocoder.asked).toHaveLength(1)
  geocoder.answer = json(photonAnswer())
  expect(await upstream.get('/reverse', place)).toEqual([])
})

test('runs one request at a time, in order', async () => {
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

test('refuses requests when the queue is full', async () => {
  const pending: (() => void)[] = []
  geocoder.answer = (request, response) => void pending.push(() => json(photonAnswer())(request, response))
  const upstream = open()
  const waiting = Array.from({ length: 20 }, () => upstream.get('/reverse', place))
  await expect(upstream.get('/reverse', place)).rejects.toThrow('too many are waiting')
  await expect.poll(() => pending.length).toBe(1)
  geocoder.answer = json(photonAnswer())
  pending[0]?.()
  await Promise.all(waiting)
})

test('stops requests after five failures, and logs that without the place', async () => {
  await geocoder.close()
  const upstream = open()
  for (let i = 0; i < 5; i++) await expect(upstream.get('/reverse', place)).rejects.toThrow('it cannot be reached')
  await expect(upstream.get('/reverse', place)).rejects.toThrow('it failed recently')
  expect(logged.at(-1)).toContain('warn')
  expect(logged.join('')).not.toMatch(/40\.7484|73\.9857/)
  geocoder = await startGeocoder()
})

test('pauses for as long as the service asks with Retry-After', async () => {
  geocoder.answer = json({}, 429, { 'retry-after': '120' })
  const upstream = open()
  await expect(upstream.get('/reverse', place)).rejects.toThrow(NoAnswer)
  geocoder.answer = json(photonAnswer())
  time += 119_000
  await expect(upstream.get('/reverse', place)).rejects.toThrow('it failed recently')
  time += 1_000
  expect(await upstream.get('/reverse', place)).toEqual([])
})

test('does not follow redirects', async () => {
  geocoder.answer = (request, response) => {
    if (request.url?.startsWith('/reverse')) json({}, 302, { location: '/inside' })(request, response)
    else json(photonAnswer())(request, response)
  }
  await expect(open().get('/reverse', place)).rejects.toThrow(NoAnswer)
  expect(geocoder.asked.map(({ path }) => path)).toEqual(['/reverse'])
})

test('keeps the other query parameters of the configured address', async () => {
  await open({ url: `${geocoder.url}/geo/?key=k#nominatim` }).get('/reverse', place)
  expect(geocoder.asked[0]?.path).toBe('/geo/reverse')
  expect(Object.fromEntries(geocoder.asked[0]?.query ?? [])).toEqual({ key: 'k', ...place })
})

test('opens the breaker for longer after each failure, up to a limit, and closes it after a success', () => {
  const breaker = createBreaker(now)
  const {
    failures,
    pause: { firstMs, maxMs },
  } = breakerLimits
  for (let i = 0; i < failures - 1; i++) breaker.failed()
  expect(breaker.isOpen()).toBe(false)
  breaker.failed()
  for (let whileMs = firstMs; whileMs < maxMs; whileMs *= 2) {
    time += whileMs - 1
    expect(breaker.isOpen()).toBe(true)
    time += 1
    expect(breaker.isOpen()).toBe(false)
    breaker.failed()
  }
  time += maxMs
  expect(breaker.isOpen()).toBe(false)
  breaker.succeeded()
  for (let i = 0; i < failures - 1; i++) breaker.failed()
  expect(breaker.isOpen()).toBe(false)
})

test('closes the breaker when the clock is set back', () => {
  const breaker = createBreaker(now)
  for (let i = 0; i < breakerLimits.failures; i++) breaker.failed()
  expect(breaker.isOpen()).toBe(true)
  time -= breakerLimits.askedMs
  expect([breaker.isOpen(), breaker.openUntil()]).toEqual([false, null])
})
