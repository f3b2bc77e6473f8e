import { changePassword, forgotPassword, login, resetPassword } from '@hither/contract/auth/auth.ts'
import { sendMessage } from '@hither/contract/messages/messages.ts'
import { lookupUser } from '@hither/contract/users.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../../test/harness.ts'
import { assertWithinLimits, createLocalRateLimits, networksOf } from './rate-limits.ts'

let server: TestServer
let ann: Person

beforeAll(async () => {
  server = await startServer({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
  ann = await server.signUp('ann')
  expect((await signIn(ann.email, '203.0.113.99', password, ownDevice)).status).toBe(200)
})

afterAll(() => server.close())

const minuteMs = 60_000
const tooMany = {
  status: 429,
  body: { detail: 'Too many attempts. Please wait a moment and try again.', code: 'rate_limited' },
}

/** With it the account was signed in to before: the limit for devices that are unknown to the account does not apply. */
const ownDevice = 'device of ann'.padEnd(43, 'x')

/** Signs in from the network address that the proxy names. */
function signIn(email: string, address: string, secret = 'wrong password', device_secret?: string) {
  const headers = { 'x-forwarded-for': address }
  const body = { email, password: secret, ...(device_secret !== undefined && { device_secret }) }
  return server.request('POST', '/api/auth/login', { body, headers })
}

async function statusesOf(count: number, call: () => Promise<{ status: number }>) {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push((await call()).status)
  return [...new Set(statuses)]
}

describe('guesses at a password', () => {
  it('from one address are refused after ten, also the right one, and one more is allowed each minute', async () => {
    const guess = (secret?: string) => signIn('ANN@example.org', '203.0.113.1', secret, ownDevice)
    expect(await statusesOf(10, guess)).toEqual([401])
    const refused = await guess(password)
    expect(refused).toMatchObject(tooMany)
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBe(60)
    server.clock.advance((wait - 1) * 1000)
    expect((await guess(password)).status).toBe(429)
    server.clock.advance(1000)
    expect((await guess(password)).status).toBe(200)
    expect((await guess(password)).status).toBe(429)
  })

  it('from an unknown device do not lock out the owner on a known device', async () => {
    expect(await statusesOf(11, () => signIn(ann.email, '203.0.113.2'))).toEqual([401, 429])
    expect((await signIn(ann.email, '203.0.113.2', password, ownDevice)).status).toBe(429)
    expect((await signIn(ann.email, '203.0.113.3', password, ownDevice)).status).toBe(200)
  })

  it('for many accounts from one address are limited', async () => {
    let count = 0
    const guess = () => signIn(`somebody${count++}@example.org`, '203.0.113.4')
    expect(await statusesOf(60, guess)).toEqual([401])
    expect(await guess()).toMatchObject(tooMany)
  })

  it('are limited alike whether or not the address has an account', async () => {
    await statusesOf(10, () => signIn('nobody@example.org', '203.0.113.5'))
    expect(await signIn('nobody@example.org', '203.0.113.5')).toMatchObject(tooMany)
  })

  it("at one's own are counted for the person, wherever they call from", async () => {
    const change = (body = { current_password: 'wrong', new_password: 'a new one' }) =>
      server.call(changePassword, { body }, ann)
    expect(await statusesOf(10, change)).toEqual([403])
    const refused = await change({ current_password: password, new_password: 'a new one' })
    expect(refused).toMatchObject(tooMany)
    expect(Number(refused.headers.get('retry-after'))).toBe(90)
  })
})

it.each([
  ['203.0.113.40', (port: number) => `203.0.113.40:${port}`],
  ['[2001:db8:40::1]', (port: number) => `[2001:db8:40::${port}]:${port}`],
  ['for=203.0.113.41', (port: number) => `for="203.0.113.41:${port}";proto=https`],
  ['203.0.113.42', (port: number) => `198.51.100.${port}, 203.0.113.42:${port}, 127.0.0.1:${port}`],
  ['unknown', (port: number) => `198.51.100.${port}, _hidden${port}`],
  ['no address', (port: number) => `visitor ${port}`],
])('are limited alike for %s from one call to the next', async (first, addressOf) => {
  let port = 1
  let count = 0
  const guess = (address: string) => signIn(`anybody${count++}.${port}@example.org`, address)
  if (!first.includes(' ') && first !== 'unknown') {
    expect(await statusesOf(59, () => guess(addressOf(port++)))).toEqual([401])
    expect((await guess(first)).status).toBe(401)
  } else await statusesOf(60, () => guess(addressOf(port++)))
  expect(await guess(addressOf(port))).toMatchObject(tooMany)
})

it('mails to one address are limited across all callers', async () => {
  let count = 0
  const ask = () =>
    server.request('POST', '/api/auth/forgot-password', {
      body: { email: 'Ann@example.org' },
      headers: { 'x-forwarded-for': `198.51.100.${count++}` },
    })
  expect(await statusesOf(5, ask)).toEqual([501])
  expect(await ask()).toMatchObject(tooMany)
  expect((await server.call(forgotPassword, { body: { email: 'bob@example.org' } })).status).toBe(501)
})

it('user searches are limited for each user', async () => {
  const look = () => server.call(lookupUser, { body: { username: 'nobody' } }, ann)
  expect(await statusesOf(60, look)).toEqual([404])
  expect(await look()).toMatchObject(tooMany)
  server.clock.advance(1000)
  expect((await look()).status).toBe(404)
})

it('a malformed call counts like a valid one', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  const call = () => server.request('POST', '/api/auth/login', { body: { email: 7 }, headers })
  expect(await statusesOf(60, call)).toEqual([422])
  expect(await call()).toMatchObject(tooMany)
})

it('RATE_LIMITS=off disables all limits', async () => {
  const free = await startServer()
  const guess = () => free.call(login, { body: { email: 'nobody@example.org', password: '' } })
  expect(await statusesOf(12, guess)).toEqual([401])
  await free.close()
})

describe('counting', () => {
  it('allows a burst and then one call at a time', async () => {
    let time = 0
    const limits = createLocalRateLimits(() => new Date(time))
    const take = () => limits.take('ann', { max: 3, seconds: 30 })
    expect([await take(), await take(), await take(), await take()]).toEqual([null, null, null, 10])
    time += 9_999
    expect(await take()).toBe(1)
    time += 1
    expect([await take(), await take()]).toEqual([null, 10])
    time += 100 * minuteMs
    expect([await take(), await take(), await take(), await take()]).toEqual([null, null, null, 10])
  })

  it('refuses for no longer than its limit lasts if the clock is set back', async () => {
    let time = 60 * minuteMs
    const limits = createLocalRateLimits(() => new Date(time))
    const take = () => limits.take('ann', { max: 3, seconds: 30 })
    expect([await take(), await take(), await take(), await take()]).toEqual([null, null, null, 10])
    time -= 20_000
    expect(await take()).toBeNull()
    time -= 60 * minuteMs
    expect([await take(), await take(), await take(), await take()]).toEqual([null, null, null, 10])
  })

  it('removes the least recently used keys above its maximum', async () => {
    const limits = createLocalRateLimits(() => new Date(0), 2)
    const once = { max: 1, seconds: 60 }
    expect(await limits.take('ann', once)).toBeNull()
    expect(await limits.take('bob', once)).toBeNull()
    expect(await limits.take('ann', once)).toBe(60)
    expect(await limits.take('cat', once)).toBeNull()
    expect(await limits.take('bob', once)).toBe(60)
    expect(await limits.take('ann', once)).toBeNull()
  })

  it.each([
    ['203.0.113.7', ['203.0.113.7']],
    ['::ffff:203.0.113.7', ['203.0.113.7']],
    ['2001:db8:1:a2f3:3:4:5:6', ['2001:db8:1:a2f3::/64', '2001:db8:1:a200::/56', '2001:db8:1:0::/48']],
    ['2001:DB8:1:2::1', ['2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1:0::/48']],
    ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0:0::/48']],
    ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0:0::/48']],
    ['nonsense', ['nonsense']],
  ])('counts %s for the networks %j', (address, networks) => {
    expect(networksOf(address).map(({ network }) => network)).toEqual(networks)
  })
})

it.each([
  ['four', '64', (n: number) => `2001:db8:5:${n.toString(16)}::1`, 4],
  ['sixteen', '56', (n: number) => `2001:db8:6:${(n * 256).toString(16)}::1`, 16],
])('the next larger IPv6 network may call as often as %s of %s bits', async (_, _bits, addressOf, count) => {
  const call = (n: number) =>
    server.request('POST', '/api/auth/reset-password', { body: {}, headers: { 'x-forwarded-for': addressOf(n) } })
  const [{ max }] = resetPassword.rateLimits
  for (let n = 0; n < count; n++) expect(await statusesOf(max, () => call(n))).toEqual([422])
  expect(await call(count)).toMatchObject(tooMany)
})

it('a person can send 5000 messages a day, and the next one is refused with an error of its own', async () => {
  let now = Date.now()
  const limits = createLocalRateLimits(() => new Date(now))
  const send = (userId: string) =>
    assertWithinLimits(limits, sendMessage, sendMessage.rateLimits, { address: '203.0.113.1', userId, body: null })
  // Not faster than the limit of a minute, and within a quarter of an hour.
  for (let sent = 0; sent < 5000; sent++) {
    now += 200
    await send('ann')
  }
  // A share of the day has passed meanwhile.
  for (let sent = 0; sent < 57; sent++) await send('ann')
  await expect(send('ann')).rejects.toMatchObject({ code: 'too_many_messages', status: 429 })
  await send('bob')
  now += 86_400_000
  await send('ann')
})
