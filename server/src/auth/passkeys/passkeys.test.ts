import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { getSignInMethods, listSessions, login } from '@hither/contract/auth/auth.ts'
import {
  createPasskey,
  createPasskeyOptions,
  createPasskeySignInOptions,
  deletePasskey,
  listPasskeys,
  renamePasskey,
  signInWithPasskey,
} from '@hither/contract/auth/passkeys.ts'
import { listSecurityEvents } from '@hither/contract/auth/security-events.ts'
import { getConfig } from '@hither/contract/config.ts'
import type { PasskeyId } from '@hither/contract/ids.ts'
import { deleteAccount, getMe } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Authenticator, createAuthenticator, type Forgery } from '../../../test/authenticator.ts'
import { type Person, password, startServer, type TestServer } from '../../../test/harness.ts'

const origin = 'https://hither.example.org'
const invalid = {
  status: 401,
  body: { detail: "This passkey doesn't work here. Try another way to sign in.", code: 'passkey_invalid' },
}
const again = { status: 403, body: { detail: 'Please sign in again to do this.', code: 'recent_sign_in_required' } }

let server: TestServer
let ann: Person
let device: Authenticator
let number = 0

beforeAll(async () => {
  server = await startServer({ PUBLIC_URL: origin })
})
afterAll(() => server.close())

beforeEach(async () => {
  ann = await server.signUp(`ann${++number}`)
  device = createAuthenticator(origin)
})

async function optionsFor(who = ann, secret?: string) {
  return server.call(createPasskeyOptions, { body: secret === undefined ? {} : { password: secret } }, who)
}

async function add(who = ann, forgery: Forgery = {}, name?: string) {
  const { body: options } = await optionsFor(who)
  const response = device.create(options, forgery)
  return server.call(createPasskey, { body: { response, ...(name !== undefined && { name }) } }, who)
}

async function signIn(forgery: Forgery = {}, passkey = device.passkeys.at(-1)) {
  const { body: options } = await server.call(createPasskeySignInOptions, {})
  return server.call(signInWithPasskey, { body: { response: device.get(options, forgery, passkey) } })
}

function advanceMinutes(minutes: number) {
  server.clock.advance(minutes * 60_000)
}

describe('a passkey', () => {
  it('signs in without a password, and the session names it', async () => {
    const created = await add(ann, {}, 'My phone')
    expect(created).toMatchObject({ status: 201, body: { name: 'My phone', last_used_at: null, backed_up: false } })
    const session = await signIn()
    expect(session).toMatchObject({ status: 200, body: { user: { id: ann.id } } })
    expect((await server.call(getMe, {}, session.body.access_token)).status).toBe(200)
    const sessions = (await server.call(listSessions, {}, session.body.access_token)).body
    expect(sessions.map(({ method, is_current }) => [method, is_current]).sort()).toEqual([
      ['passkey', true],
      ['password', false],
    ])
    const [listed] = (await server.call(listPasskeys, {}, ann)).body
    expect(listed?.last_used_at).toBe(server.clock.now().toISOString())
    expect((await server.call(getSignInMethods, {}, ann)).body).toMatchObject({ password: true, passkeys: 1 })
  })

  it('gets the name of its device, and can be renamed', async () => {
    const agent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
    const { body: options } = await optionsFor()
    const body = { response: device.create(options) }
    const named = await server.request('POST', '/api/auth/passkeys', {
      body,
      as: ann,
      headers: { 'user-agent': agent },
    })
    expect(named).toMatchObject({ status: 201, body: { name: 'Chrome on Mac' } })
    const { body: unknown } = await add()
    expect(unknown.name).toBe('Passkey')
    const renamed = await server.call(renamePasskey, { params: { id: unknown.id }, body: { name: 'Key' } }, ann)
    expect(renamed).toMatchObject({ status: 200, body: { id: unknown.id, name: 'Key' } })
    expect((await server.call(listPasskeys, {}, ann)).body.map(({ name }) => name)).toEqual(['Key', 'Chrome on Mac'])
  })

  it('of another person cannot be renamed or removed', async () => {
    const { body: passkey } = await add()
    const bob = await server.signUp(`bob${number}`)
    const missing = { status: 404, body: { detail: 'Passkey not found', code: 'passkey_not_found' } }
    const params = { id: passkey.id }
    expect(await server.call(renamePasskey, { params, body: { name: 'Mine' } }, bob)).toMatchObject(missing)
    expect(await server.call(deletePasskey, { params, body: {} }, bob)).toMatchObject(missing)
    expect((await server.call(listPasskeys, {}, bob)).body).toEqual([])
    expect((await signIn()).status).toBe(200)
  })

  it('cannot be added to a second account', async () => {
    const credentialId = randomBytes(16)
    expect((await add(ann, { credentialId })).status).toBe(201)
    const bob = await server.signUp(`bob${number}`)
    expect(await add(bob, { credentialId })).toMatchObject(invalid)
  })

  it('does not sign in after it was removed', async () => {
    const { body: passkey } = await add()
    expect((await server.call(deletePasskey, { params: { id: passkey.id }, body: {} }, ann)).status).toBe(204)
    expect(await signIn()).toMatchObject(invalid)
  })

  it('is refused as the 21st', async () => {
    await server.db`
      insert into passkeys (id, user_id, credential_id, public_key, counter, transports, aaguid, backed_up, name, created_at)
      select gen_random_uuid(), ${ann.id}, sha256(convert_to(${ann.id} || n::text, 'UTF8')), '', 0, '{}', gen_random_uuid(),
        false, 'Passkey', now() from generate_series(1, 19) n`
    const { body: options } = await optionsFor()
    const { body: late } = await optionsFor()
    expect(options.excludeCredentials).toHaveLength(19)
    expect((await server.call(createPasskey, { body: { response: device.create(options) } }, ann)).status).toBe(201)
    const full = {
      status: 409,
      body: { detail: 'You already have 20 passkeys. Remove one first.', code: 'too_many_passkeys' },
    }
    expect(await server.call(createPasskey, { body: { response: device.create(late) } }, ann)).toMatchObject(full)
    expect(await optionsFor()).toMatchObject(full)
  })
})

describe('a sign-in with a passkey is refused with one answer for every fault', () => {
  beforeEach(() => add())

  it.each<[string, Forgery]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['no user verification', { userVerified: false }],
    ['an invented challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['the type of a registration', { type: 'webauthn.create' }],
    ['the signature of another key', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
    ['an unknown credential', { credentialId: randomBytes(16) }],
    ['the handle of another account', { userHandle: randomBytes(16).toString('base64url') }],
  ])('%s', async (_fault, forgery) => {
    expect(await signIn(forgery)).toMatchObject(invalid)
    expect((await signIn()).status).toBe(200)
  })

  it('a used challenge', async () => {
    const { body: options } = await server.call(createPasskeySignInOptions, {})
    const response = device.get(options)
    expect((await server.call(signInWithPasskey, { body: { response } })).status).toBe(200)
    expect(await server.call(signInWithPasskey, { body: { response } })).toMatchObject(invalid)
  })

  it('a challenge that a wrong signature has used', async () => {
    const { body: options } = await server.call(createPasskeySignInOptions, {})
    const forged = device.get(options, { userVerified: false })
    expect(await server.call(signInWithPasskey, { body: { response: forged } })).toMatchObject(invalid)
    expect(await server.call(signInWithPasskey, { body: { response: device.get(options) } })).toMatchObject(invalid)
  })

  it('a challenge of five minutes ago', async () => {
    const { body: options } = await server.call(createPasskeySignInOptions, {})
    advanceMinutes(5)
    expect(await server.call(signInWithPasskey, { body: { response: device.get(options) } })).toMatchObject(invalid)
  })

  it('a challenge that nobody used is deleted by the hourly cleanup', async () => {
    await server.call(createPasskeySignInOptions, {})
    advanceMinutes(60)
    await server.app.authJobs.runDue()
    expect(await server.db`select 1 from auth_challenges`).toHaveLength(0)
  })

  it('the challenge of a new passkey', async () => {
    const { body: creation } = await optionsFor()
    const { body: options } = await server.call(createPasskeySignInOptions, {})
    const response = device.get({ ...options, challenge: creation.challenge })
    expect(await server.call(signInWithPasskey, { body: { response } })).toMatchObject(invalid)
  })

  it('but a signature counter that does not grow is accepted', async () => {
    expect((await signIn({ counter: 7 })).status).toBe(200)
    expect((await signIn({ counter: 3 })).status).toBe(200)
  })
})

describe('a new passkey is refused with one answer for every fault', () => {
  it.each<[string, Forgery]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['no user verification', { userVerified: false }],
    ['an invented challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['the type of a sign-in', { type: 'webauthn.get' }],
  ])('%s', async (_fault, forgery) => {
    expect(await add(ann, forgery)).toMatchObject(invalid)
    expect((await server.call(listPasskeys, {}, ann)).body).toEqual([])
  })

  it('the challenge of another person', async () => {
    const eve = await server.signUp(`eve${number}`)
    const { body: options } = await optionsFor(eve)
    const response = device.create(options)
    expect(await server.call(createPasskey, { body: { response } }, ann)).toMatchObject(invalid)
  })

  it.each(['', 'AAAA', 'o2NmbXRkbm9uZQ', '!!!', Buffer.alloc(12_000, 0xff).toString('base64url')])(
    'bytes that are no CBOR: %.20s',
    async (attestationObject) => {
      const { body: options } = await optionsFor()
      const { response, ...credential } = device.create(options)
      const body = { response: { ...credential, response: { ...response, attestationObject } } }
      const { status } = await server.request('POST', '/api/auth/passkeys', { body, as: ann })
      expect([401, 422]).toContain(status)
    },
  )
})

describe('a hostile body', () => {
  it.each([
    ['wrong types', { response: { id: 1, rawId: [], type: null, response: 'x' } }],
    ['no response', {}],
    ['a name of 5,000 bytes', { name: 'x'.repeat(5000) }],
  ])('with %s is refused with 422', async (_what, body) => {
    for (const path of ['/api/auth/passkeys', '/api/auth/passkey'])
      expect((await server.request('POST', path, { body, as: ann })).status).toBe(422)
  })

  it('of 10 MB is refused with 413', async () => {
    const body = { response: { id: 'x'.repeat(10_000_000) } }
    expect((await server.request('POST', '/api/auth/passkey', { body })).status).toBe(413)
  })
})

describe('a recent sign-in', () => {
  it('is required to add and to remove a passkey, and the password replaces it', async () => {
    const { body: passkey } = await add()
    const params = { id: passkey.id }
    advanceMinutes(11)
    expect(await optionsFor()).toMatchObject(again)
    expect(await server.call(deletePasskey, { params, body: {} }, ann)).toMatchObject(again)
    const wrong = { status: 403, body: { detail: 'The password is not correct', code: 'wrong_password' } }
    expect(await optionsFor(ann, 'wrong password')).toMatchObject(wrong)
    expect(await server.call(deletePasskey, { params, body: { password: 'wrong' } }, ann)).toMatchObject(wrong)
    const { status, body: options } = await optionsFor(ann, password)
    expect(status).toBe(200)
    expect((await server.call(createPasskey, { body: { response: device.create(options) } }, ann)).status).toBe(201)
    expect((await server.call(deletePasskey, { params, body: { password } }, ann)).status).toBe(204)
  })

  it('with a passkey is one too', async () => {
    await add()
    advanceMinutes(11)
    const { body: session } = await signIn()
    expect((await server.call(createPasskeyOptions, { body: {} }, session.access_token)).status).toBe(200)
  })
})

describe('the last way to sign in', () => {
  const last = {
    status: 409,
    body: { detail: 'Set a password or add another passkey first.', code: 'last_sign_in_method' },
  }

  it('cannot be removed, also by two devices at once', async () => {
    const ids = [(await add()).body.id, (await add()).body.id]
    await server.db`update users set password_hash = null where id = ${ann.id}`
    const remove = (id: PasskeyId) => server.call(deletePasskey, { params: { id }, body: {} }, ann)
    const statuses = (await Promise.all(ids.map(remove))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([204, 409])
    const [left] = (await server.call(listPasskeys, {}, ann)).body
    expect(await remove(left?.id as PasskeyId)).toMatchObject(last)
    expect((await server.call(listPasskeys, {}, ann)).body).toHaveLength(1)
  })
})

describe('a person', () => {
  it('who is suspended cannot sign in with a passkey', async () => {
    await add()
    await server.db`
      insert into suspensions (user_id, reason, suspended_at) values (${ann.id}, 'spam', ${server.clock.now()})`
    expect(await signIn()).toMatchObject({
      status: 403,
      body: {
        detail: 'This account is suspended. Please contact the admin of this server.',
        code: 'account_suspended',
      },
    })
  })

  it('who deleted their account leaves no passkey and gets the answer of an unknown one', async () => {
    await add()
    expect((await server.call(deleteAccount, { body: { password } }, ann)).status).toBe(204)
    expect(await signIn()).toMatchObject(invalid)
    expect(await server.db`select 1 from passkeys where user_id = ${ann.id}`).toHaveLength(0)
    expect(await server.db`select 1 from security_events where user_id = ${ann.id}`).toHaveLength(0)
  })

  it('sees each change once in the security events', async () => {
    const { body: passkey } = await add()
    await server.call(deletePasskey, { params: { id: passkey.id }, body: {} }, ann)
    const { body: events } = await server.call(listSecurityEvents, {}, ann)
    expect(events.map(({ kind }) => kind)).toEqual(['passkey_removed', 'passkey_added'])
  })
})

it('answers never contain a key, a credential or a counter', async () => {
  const created = await add()
  const listed = await server.call(listPasskeys, {}, ann)
  const fields = ['backed_up', 'created_at', 'id', 'last_used_at', 'name']
  expect(Object.keys(created.body).sort()).toEqual(fields)
  expect(listed.body.map((passkey) => Object.keys(passkey).sort())).toEqual([fields])
})

describe('at an address without https and a domain name', () => {
  it('passkeys are not available', async () => {
    const plain = await startServer({ PUBLIC_URL: 'http://10.0.0.5' })
    const person = await plain.signUp('ann')
    const missing = {
      status: 501,
      body: { detail: 'Passkeys need https and a domain name on this server', code: 'passkeys_not_available' },
    }
    expect((await plain.call(getConfig, {})).body.features.passkeys).toBe(false)
    expect(await plain.call(createPasskeyOptions, { body: {} }, person)).toMatchObject(missing)
    expect(await plain.call(createPasskeySignInOptions, {})).toMatchObject(missing)
    const { body: options } = await optionsFor()
    expect(await plain.call(createPasskey, { body: { response: device.create(options) } }, person)).toMatchObject(
      missing,
    )
    const { body: request } = await server.call(createPasskeySignInOptions, {})
    const response = device.get(request)
    expect(await plain.call(signInWithPasskey, { body: { response } })).toMatchObject(missing)
    expect((await plain.call(login, { body: { email: person.email, password } })).status).toBe(200)
    await plain.close()
  })
})
