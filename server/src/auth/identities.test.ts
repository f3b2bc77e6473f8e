import { generateKeyPairSync } from 'node:crypto'
import {
  type AuthSession,
  changePassword,
  getSignInMethods,
  google,
  login,
  signup,
} from '@hither/contract/auth/auth.ts'
import { getConfig } from '@hither/contract/config.ts'
import { deleteAccount, getMe } from '@hither/contract/users.ts'
import { exportSPKI, importJWK, SignJWT } from 'jose'
import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { password, startServer, type TestServer } from '../../test/harness.ts'
import { createLog } from '../ops/log.ts'

const clientId = 'hither.apps.example.org'
let provider: OAuth2Server
let server: TestServer
let number = 0
const lines: string[] = []
let claims: Record<string, unknown>

beforeAll(async () => {
  provider = new OAuth2Server()
  await provider.issuer.keys.generate('RS256')
  await provider.start(0, 'localhost')
  server = await startServer(
    { GOOGLE_CLIENT_ID: clientId, GOOGLE_ISSUER: provider.issuer.url ?? '' },
    createLog('warn', { write: (line) => void lines.push(line) }),
  )
})

beforeEach(() => {
  number++
  claims = {
    sub: `subject-${number}`,
    aud: clientId,
    email: `ann${number}@example.org`,
    email_verified: true,
    name: `Ann Ärger ${number}`,
  }
})

afterEach(() => vi.useRealTimers())

afterAll(async () => {
  await server.close()
  await provider.stop()
})

const refused = { status: 401, body: { detail: 'Invalid identity token', code: 'invalid_identity_token' } }

/** In the time of the server's clock, which does not advance by itself. */
function issuedNow() {
  const at = Math.floor(server.clock.now().getTime() / 1000)
  return { iat: at, nbf: at }
}

function tokenWith(changes: Record<string, unknown> = {}): Promise<string> {
  return provider.issuer.buildToken({
    expiresIn: 3600,
    scopesOrTransform: (_header, payload) => {
      Object.assign(payload, issuedNow(), claims, changes)
      for (const name of Object.keys(payload)) if (payload[name] === undefined) delete payload[name]
    },
  })
}

function signIn(token: string, nonce?: string) {
  return server.call(google, { body: { id_token: token, ...(nonce !== undefined && { nonce }) } })
}

describe('an identity token', () => {
  it('creates an account the first time and signs in to it afterwards', async () => {
    const first = await signIn(await tokenWith())
    expect(first.status).toBe(201)
    expect(first.body.user).toMatchObject({
      email: claims['email'],
      email_confirmed_at: server.clock.now().toISOString(),
      username: `Ann.Arger.${number}`,
    })
    // The address at the provider may change: the subject counts.
    const again = await signIn(await tokenWith({ email: `other${number}@example.org` }))
    expect(again).toMatchObject({ status: 200, body: { user: first.body.user } })
    expect((await server.call(getMe, {}, again.body.access_token)).body).toEqual(first.body.user)
    const methods = await server.call(getSignInMethods, {}, again.body.access_token)
    expect(methods.body).toMatchObject({ password: false, google: true })
    expect((await server.call(getConfig, {})).body).toMatchObject({
      google_client_id: clientId,
      features: { google: true },
    })
  })

  it('with a taken name gets the next free one', async () => {
    await signIn(await tokenWith({ name: 'Zoë' }))
    const second = await signIn(await tokenWith({ sub: 'another', email: 'zoe2@example.org', name: 'ZOE' }))
    expect(second.body.user.username).toBe('ZOE2')
  })

  it.each([
    ['O’Neil, Tom', 'O.Neil.Tom'],
    ['李雷', 'friend'],
    ['x', 'friend2'],
    [42, 'friend3'],
    ['', 'friend4'],
    ['A'.repeat(40), 'A'.repeat(30)],
    ['..a b..', 'a.b'],
  ])('with the name %j creates the username %s', async (name, username) => {
    expect((await signIn(await tokenWith({ name }))).body.user.username).toBe(username)
  })

  it('of one person used twice concurrently creates one account', async () => {
    const token = await tokenWith()
    const answers = await Promise.all([signIn(token), signIn(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201])
    expect(answers[0].body.user.id).toBe(answers[1].body.user.id)
  })

  it('is accepted with the verified flag as a string', async () => {
    expect((await signIn(await tokenWith({ email_verified: 'true' }))).status).toBe(201)
  })

  it.each([
    ['another audience', { aud: 'someone.else' }],
    ['no audience', { aud: undefined }],
    ['another issuer', { iss: 'https://accounts.example.org' }],
    ["Google's short name where the issuer is another", { iss: 'accounts.google.com' }],
    ['no issuer', { iss: undefined }],
    ['an expiry that is past', { exp: Math.floor(Date.now() / 1000) - 60 }],
    ['no expiry', { exp: undefined }],
    ['a start in the future', { nbf: Math.floor(Date.now() / 1000) + 600 }],
    ['an issue more than ten minutes ago', { iat: Math.floor(Date.now() / 1000) - 1200 }],
    ['no time of issue', { iat: undefined }],
    ['another party that it was issued to', { azp: 'someone.else' }],
    ['several audiences and nobody that it was issued to', { aud: [clientId, 'someone.else'] }],
    ['a nonce that the caller does not know', { nonce: 'of another sign-in' }],
    ['an address that is not verified', { email_verified: false }],
    ['an address that is "false"ly verified', { email_verified: 'false' }],
    ['an address that is verified by a number', { email_verified: 1 }],
    ['nothing of whether the address is verified', { email_verified: undefined }],
    ['no address', { email: undefined }],
    ['an address that is none', { email: 'ann' }],
    ['an address with a NUL', { email: 'a\0b@example.org' }],
    ['an address as a list', { email: ['ann@example.org'] }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a number for a subject', { sub: 7 }],
    ['a subject with a NUL', { sub: 'a\0b' }],
    ['a subject without end', { sub: 'x'.repeat(256) }],
  ])('with %s is refused', async (_name, changes) => {
    const [before] = await server.db`select count(*) from users`
    expect(await signIn(await tokenWith(changes))).toMatchObject(refused)
    expect((await server.db`select count(*) from users`)[0]).toEqual(before)
  })

  it('is accepted with this client as the authorized party', async () => {
    expect((await signIn(await tokenWith({ azp: clientId }))).status).toBe(201)
    expect((await signIn(await tokenWith({ azp: clientId, aud: [clientId, 'someone.else'] }))).status).toBe(200)
  })

  it('needs no verified address to open the account that is linked', async () => {
    const { user } = (await signIn(await tokenWith())).body
    for (const changes of [{ email: undefined }, { email_verified: null }, { email_verified: false }])
      expect(await signIn(await tokenWith(changes))).toMatchObject({ status: 200, body: { user: { id: user.id } } })
  })

  it('that is refused leaves its reason in the log', async () => {
    lines.length = 0
    await signIn(await tokenWith({ aud: 'someone.else' }))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, msg: 'identity token refused', reason: 'the claim aud of its token is missing or wrong' },
    ])
  })

  it('requires the nonce that the client sent, and no other', async () => {
    const token = await tokenWith({ nonce: 'of this sign-in' })
    expect(await signIn(token)).toMatchObject(refused)
    expect(await signIn(token, 'of another sign-in')).toMatchObject(refused)
    expect(await signIn(await tokenWith(), 'of this sign-in')).toMatchObject(refused)
    expect((await signIn(token, 'of this sign-in')).status).toBe(201)
  })

  it('is accepted for ten minutes after its issue', async () => {
    const issuedAt = (secondsAgo: number) => ({ iat: Math.floor(server.clock.now().getTime() / 1000) - secondsAgo })
    expect((await signIn(await tokenWith(issuedAt(590)))).status).toBe(201)
    expect(await signIn(await tokenWith(issuedAt(620)))).toMatchObject(refused)
  })

  it('is checked against the clock of the server', async () => {
    const unavailable = await startServer({ GOOGLE_CLIENT_ID: clientId, GOOGLE_ISSUER: provider.issuer.url ?? '' })
    const token = await tokenWith()
    unavailable.clock.advance(3600_000 + 11_000)
    expect(await unavailable.call(google, { body: { id_token: token } })).toMatchObject(refused)
    await unavailable.close()
  })

  it.each(['garbage', 'a.b.c', '..', 'eyJhbGciOiJSUzI1NiJ9..', '{}', '"'])('is refused if it is %s', async (token) => {
    expect(await signIn(token)).toMatchObject(refused)
  })

  it('is refused without a signature, with a symmetric one, or with an unknown key', async () => {
    const [header, payload, signature] = (await tokenWith()).split('.')
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const kid = provider.issuer.keys.get()?.kid ?? ''
    const forged = {
      alg: encoded({ alg: 'none', typ: 'JWT' }),
      payload: encoded({ ...JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()), sub: 'x' }),
    }
    for (const token of [
      `${forged.alg}.${payload}.`,
      `${header}.${payload}.`,
      `${header}.${forged.payload}.${signature}`,
      await signedWithPublicKey(kid),
      await signedWithAnotherKey(kid),
      await signedWithAnotherKey('unknown'),
    ]) {
      expect(await signIn(token)).toMatchObject(refused)
    }
  })

  it('with a new key of the issuer is accepted after the keys may be fetched again', async () => {
    await signIn(await tokenWith())
    await provider.issuer.keys.generate('RS256')
    const kid = (await provider.issuer.keys.generate('ES256')).kid
    server.clock.advance(31_000)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 })
    const token = await provider.issuer.buildToken({
      kid,
      scopesOrTransform: (_header, payload) => {
        Object.assign(payload, issuedNow(), claims)
      },
    })
    expect(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())).toMatchObject({ alg: 'ES256' })
    expect((await signIn(token)).status).toBe(200)
  })

  it('returns 503 while the issuer is unreachable', async () => {
    for (const url of ['http://127.0.0.1:9', `${provider.issuer.url}/nothing`]) {
      const alone = await startServer({ GOOGLE_CLIENT_ID: clientId, GOOGLE_ISSUER: url })
      expect(await alone.call(google, { body: { id_token: await tokenWith() } })).toMatchObject({
        status: 503,
        body: {
          detail: 'Google sign-in cannot be reached right now. Please try again in a moment.',
          code: 'identity_provider_unreachable',
        },
      })
      await alone.close()
    }
  })
})

/** The classic algorithm confusion: the published key used as the secret of a symmetric signature. */
async function signedWithPublicKey(kid: string): Promise<string> {
  const jwk = provider.issuer.keys.get(kid)
  const { n, e, kty } = jwk as { n: string; e: string; kty: string }
  const pem = await exportSPKI((await importJWK({ n, e, kty }, 'RS256', { extractable: true })) as never)
  return sign(new TextEncoder().encode(pem), 'HS256', kid)
}

function signedWithAnotherKey(kid: string): Promise<string> {
  return sign(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 'RS256', kid)
}

function sign(key: Parameters<SignJWT['sign']>[0], alg: string, kid: string): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg, kid })
    .setIssuer(provider.issuer.url ?? '')
    .setExpirationTime('1h')
    .sign(key)
}

describe('a verified address that has an account', () => {
  async function register(): Promise<AuthSession> {
    const body = { email: `ann${number}@example.org`, password, username: `ann${number}` }
    return (await server.call(signup, { body })).body as AuthSession
  }

  function signInWithPassword() {
    return server.call(login, { body: { email: `ann${number}@example.org`, password } })
  }

  it('signs in to it, and the password still works if the address was confirmed', async () => {
    const session = await register()
    await server.db`update users set email_confirmed_at = created_at where id = ${session.user.id}`
    const answer = await signIn(await tokenWith({ email: `ANN${number}@Example.org` }))
    expect(answer).toMatchObject({ status: 200, body: { user: { id: session.user.id, username: `ann${number}` } } })
    expect((await signInWithPassword()).status).toBe(200)
    expect((await server.call(getMe, {}, session.access_token)).status).toBe(200)
    const methods = await server.call(getSignInMethods, {}, session.access_token)
    expect(methods.body).toMatchObject({ password: true, google: true })
  })

  it('takes the account over from a user who signed up first and never confirmed', async () => {
    const stranger = await register()
    const owner = await signIn(await tokenWith())
    expect(owner).toMatchObject({ status: 200, body: { user: { id: stranger.user.id } } })
    expect(owner.body.user.email_confirmed_at).toBe(server.clock.now().toISOString())
    expect((await signInWithPassword()).status).toBe(401)
    expect((await server.call(getMe, {}, stranger.access_token)).status).toBe(401)
    expect((await server.call(getMe, {}, owner.body.access_token)).status).toBe(200)
  })
})

describe('an account without a password', () => {
  const required = {
    status: 403,
    body: { detail: 'Please sign in with Google again to do this', code: 'identity_required' },
  }
  const newPassword = 'a first one of mine'
  let session: AuthSession

  beforeEach(async () => {
    session = (await signIn(await tokenWith())).body
  })

  function setPassword(proof: { id_token?: string; nonce?: string } = {}) {
    return server.call(changePassword, { body: { new_password: newPassword, ...proof } }, session.access_token)
  }

  function erase(proof: { id_token?: string; nonce?: string; password?: string } = {}) {
    return server.call(deleteAccount, { body: proof }, session.access_token)
  }

  it('gets a first password only with its own fresh identity token', async () => {
    expect(await setPassword()).toMatchObject(required)
    const old = await tokenWith({ iat: Math.floor(server.clock.now().getTime() / 1000) - 660 })
    expect(await setPassword({ id_token: old })).toMatchObject(refused)
    expect(await setPassword({ id_token: 'garbage' })).toMatchObject(refused)
    expect(await setPassword({ id_token: await tokenWith({ sub: 'nobody-here' }) })).toMatchObject(required)
    await signIn(await tokenWith({ sub: `else-${number}`, email: `else${number}@example.org` }))
    expect(await setPassword({ id_token: await tokenWith({ sub: `else-${number}` }) })).toMatchObject(required)
    expect((await server.call(getSignInMethods, {}, session.access_token)).body.password).toBe(false)

    const fresh = await tokenWith({ nonce: 'once' })
    expect(await setPassword({ id_token: fresh })).toMatchObject(refused)
    expect((await setPassword({ id_token: fresh, nonce: 'once' })).status).toBe(204)
    const answer = await server.call(login, { body: { email: `ann${number}@example.org`, password: newPassword } })
    expect(answer.status).toBe(200)
    // From now on the password proves the owner.
    expect((await setPassword({ id_token: await tokenWith() })).status).toBe(403)
  })

  it('is deleted only with its own fresh identity token', async () => {
    for (const proof of [{}, { password }, { id_token: await tokenWith({ sub: 'nobody-here' }) }])
      expect(await erase(proof)).toMatchObject(required)
    expect((await server.call(getMe, {}, session.access_token)).status).toBe(200)
    expect((await erase({ id_token: await tokenWith() })).status).toBe(204)
    expect((await server.call(getMe, {}, session.access_token)).status).toBe(401)
  })
})
