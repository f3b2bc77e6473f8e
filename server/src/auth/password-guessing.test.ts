import { accountGuessLimit, login, signup } from '@hither/contract/auth/auth.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'

let server: TestServer
let number = 0
let ann: Person

beforeAll(async () => {
  server = await startServer({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
})

beforeEach(async () => {
  number++
  ann = await server.signUp(`ann${number}`)
})

afterAll(() => server.close())

const tooMany = {
  status: 429,
  body: { detail: 'Too many attempts. Please wait a moment and try again.', code: 'rate_limited' },
}
const deviceOf = (who: string) => `${who}${number}`.padEnd(43, 'x')
const rechargeMs = (accountGuessLimit.seconds / accountGuessLimit.max) * 1000
let addresses = 0

/** Sends from a network address, and thus a /64, that nothing else uses. */
function signIn(body: { email?: string; password?: string; device_secret?: string } = {}) {
  addresses++
  return server.request('POST', '/api/auth/login', {
    body: { email: ann.email, password, ...body },
    headers: { 'x-forwarded-for': `2001:db8:1:${addresses.toString(16)}::1` },
  })
}

function guess(email = ann.email) {
  return signIn({ email, password: 'wrong password' })
}

/** Returns how many guesses are compared with the password before refusals start; each comes from another network. */
async function useUpGuesses(email = ann.email): Promise<number> {
  let compared = 0
  for (let round = 0; round < accountGuessLimit.max + 5; round++) {
    const { status } = await guess(email)
    if (status === 401) compared++
  }
  return compared
}

describe('guesses at the password of one account', () => {
  it('are limited together although each comes from another network', async () => {
    expect(await useUpGuesses()).toBe(accountGuessLimit.max)
    const refused = await guess(ann.email.toUpperCase())
    expect(refused).toMatchObject(tooMany)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    // Not even the right password is compared, since the answer would reveal it.
    expect(await signIn()).toMatchObject(tooMany)
  })

  it('are limited together in every spelling of the address that finds the account', async () => {
    const { email } = await server.signUp(`ivi${number}`)
    const other = email.replace('ivi', 'IVI')
    expect((await signIn({ email: other })).status).toBe(200)
    await useUpGuesses(email)
    expect(await guess(other)).toMatchObject(tooMany)
  })

  it('are delayed and not locked out: one more is compared after a while', async () => {
    await useUpGuesses()
    server.clock.advance(rechargeMs)
    expect((await guess()).status).toBe(401)
    expect(await guess()).toMatchObject(tooMany)
    server.clock.advance(rechargeMs)
    expect((await signIn()).status).toBe(200)
  })

  it('are limited in the same way for an address without an account', async () => {
    expect(await useUpGuesses(`nobody${number}@example.org`)).toBe(accountGuessLimit.max)
  })

  it('do not affect a device that has signed in to the account before', async () => {
    const device_secret = deviceOf('phone')
    expect((await signIn({ device_secret })).status).toBe(200)
    await useUpGuesses()
    expect((await signIn({ device_secret })).status).toBe(200)
    expect(await signIn({ device_secret: deviceOf('other') })).toMatchObject(tooMany)
  })

  it('do not affect the device that created the account', async () => {
    const device_secret = deviceOf('maker')
    const account = { email: `bea${number}@example.org`, password, username: `bea${number}` }
    expect((await server.call(signup, { body: { ...account, device_secret } })).status).toBe(201)
    await useUpGuesses(account.email)
    expect((await signIn({ email: account.email, device_secret })).status).toBe(200)
  })

  it('are limited for a device that knows another account or guessed wrong', async () => {
    const device_secret = deviceOf('eve')
    const eve = await server.signUp(`eve${number}`)
    expect((await signIn({ email: eve.email, device_secret })).status).toBe(200)
    await signIn({ password: 'wrong password', device_secret })
    await useUpGuesses()
    expect(await signIn({ device_secret })).toMatchObject(tooMany)
  })

  it('by a known device are limited too', async () => {
    const device_secret = deviceOf('phone')
    const fromOneAddress = (secret: string) =>
      server.call(login, { body: { email: ann.email, password: secret, device_secret } })
    expect((await fromOneAddress(password)).status).toBe(200)
    const statuses: number[] = []
    for (let round = 0; round < 15; round++) statuses.push((await fromOneAddress('wrong password')).status)
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10)
    expect(statuses.at(-1)).toBe(429)
  })
})

it('a known device is stored as a digest for one account only, and at most twenty are stored', async () => {
  const device_secret = deviceOf('phone')
  const bob = await server.signUp(`bob${number}`)
  for (const { email } of [ann, bob]) await signIn({ email, device_secret })
  const rows = await server.db<{ digest: string }[]>`
    select encode(secret_hash, 'hex') as digest from known_devices where user_id in (${ann.id}, ${bob.id})`
  expect(new Set(rows.map(({ digest }) => digest)).size).toBe(2)
  expect(JSON.stringify(rows)).not.toContain(Buffer.from(device_secret).toString('hex'))
  for (let device = 0; device < 25; device++) {
    server.clock.advance(rechargeMs)
    await signIn({ device_secret: deviceOf(`device${device}-`) })
  }
  expect(await server.db`select 1 from known_devices where user_id = ${ann.id}`).toHaveLength(20)
  server.clock.advance(181 * 86_400_000)
  await server.app.authJobs.runDue()
  expect(await server.db`select 1 from known_devices`).toHaveLength(0)
})
