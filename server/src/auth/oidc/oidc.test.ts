import { createHash, createHmac, randomBytes } from 'node:crypto'
import {
  type AuthSession,
  changePassword,
  getSignInMethods,
  listSessions,
  login,
  signup,
} from '@hither/contract/auth/auth.ts'
import { finishOidc, linkOidc, listIdentities, startOidc, unlinkIdentity } from '@hither/contract/auth/oidc.ts'
import { listSecurityEvents } from '@hither/contract/auth/security-events.ts'
import { getConfig } from '@hither/contract/config.ts'
import { createInvitation, setRegistration } from '@hither/contract/invitations.ts'
import { deleteAccount, getMe } from '@hither/contract/users.ts'
import { generateKeyPair, importJWK, SignJWT } from 'jose'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../../test/free-port.ts'
import { type Person, password, startServer, type TestServer } from '../../../test/harness.ts'
import { type OpenIdProvider, startOpenIdProvider } from '../../../test/openid-provider.ts'
import { makeAdmin } from '../../moderation/harness.ts'
import { createLog } from '../../ops/log.ts'

const clientId = 'hither-client'
const interrupted = {
  status: 401,
  body: { detail: 'This sign-in was interrupted or has expired. Please try again.', code: 'sign_in_attempt_invalid' },
}

let clock: () => Date = () => new Date()
let provider: OpenIdProvider
let server: TestServer
let number = 0
const lines: string[] = []

function settings(issuer: string, more: Record<string, string> = {}) {
  return { PUBLIC_URL: 'https://hither.example.org', OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, ...more }
}

beforeAll(async () => {
  provider = await startOpenIdProvider(() => clock())
  server = await startServer(
    settings(provider.issuer, { OIDC_NAME: 'Authelia', OIDC_CLIENT_SECRET: 'a secret' }),
    createLog('info', { write: (line) => void lines.push(line) }),
  )
  clock = server.clock.now
})
afterAll(async () => {
  await server.close()
  await provider.stop()
})

beforeEach(() => {
  number++
  clock = server.clock.now
  provider.forge = null
  provider.userInfo = {}
  provider.answers.clear()
  lines.length = 0
  provider.claims = {
    sub: `subject-${number}`,
    email: `sam${number}@example.org`,
    email_verified: true,
    preferred_username: `sam-${number}`,
  }
})

const newVerifier = () => randomBytes(32).toString('base64url')
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

type StartBody = { return_to?: string; intent?: 'sign_in' | 'link'; client?: 'web' | 'app'; password?: string }

async function start(verifier: string, body: StartBody = {}, as?: Person | string, at = server) {
  return at.call(startOidc, { body: { challenge: challengeOf(verifier), ...body } }, as)
}

/** Opens the callback as a browser would and returns where it leads. */
async function open(callback: URL, at = server): Promise<URL> {
  const { pathname, search } = callback
  const response = await fetch(`${at.url}${pathname}${search}`, { redirect: 'manual' })
  expect(response.status).toBe(302)
  expect(response.headers.getSetCookie()).toEqual([])
  return new URL(response.headers.get('location') ?? '', 'https://hither.example.org')
}

function fragmentOf(url: URL) {
  return Object.fromEntries(new URLSearchParams(url.hash.slice(1)))
}

/** Performs a sign-in with the provider up to the code in the fragment. */
async function signInAtProvider(body: StartBody = {}, as?: Person | string, at = server) {
  clock = at.clock.now
  const verifier = newVerifier()
  const started = await start(verifier, body, as, at)
  expect(started.status).toBe(200)
  const location = await open(await provider.visit(started.body.url), at)
  return { verifier, location, code: fragmentOf(location)['code'] ?? '', error: fragmentOf(location)['error'] }
}

type Codes = { invitation?: string; friend_code?: string }

async function finish(codes: Codes = {}, at = server) {
  const { code, verifier } = await signInAtProvider({}, undefined, at)
  return at.call(finishOidc, { body: { code, verifier, ...codes } })
}

async function countAccounts(at = server) {
  const [row] = await at.db<[{ count: number }]>`select count(*)::integer as count from users`
  return row.count
}

async function key(alg = 'RS256') {
  const jwk = provider.server.issuer.keys.get()
  return { privateKey: await importJWK({ ...jwk, alg } as never, alg), kid: jwk?.kid ?? '' }
}

async function signed(payload: Record<string, unknown>, more: { alg?: string } = {}) {
  const { privateKey, kid } = await key(more.alg)
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid, ...more }).sign(privateKey)
}

/** Answers in place of an endpoint of the provider. */
function answer(path: string, status: number, body: object | string, headers: Record<string, string> = {}) {
  provider.answers.set(path, (_request, response) => {
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers })
    response.end(isText ? body : JSON.stringify(body))
  })
}

/** What the log says about refused answers. */
function reasons(): unknown[] {
  const refused = lines.map((line) => JSON.parse(line)).filter(({ msg }) => /provider refused/.test(msg))
  return refused.map(({ level, reason }) => [level, reason])
}

describe('a sign-in with the provider', () => {
  it('creates an account for a new person, and opens the same one later', async () => {
    const first = await finish()
    expect(first).toMatchObject({
      status: 201,
      body: { user: { email: `sam${number}@example.org`, username: `sam-${number}` } },
    })
    expect(first.body.user.email_confirmed_at).toBe(server.clock.now().toISOString())
    // The address at the provider may change: the subject counts.
    provider.claims = { ...provider.claims, email: `other${number}@example.org` }
    const again = await finish()
    expect(again).toMatchObject({ status: 200, body: { user: { id: first.body.user.id } } })
    const sessions = (await server.call(listSessions, {}, again.body.access_token)).body
    expect(sessions.map(({ method }) => method)).toEqual(['oidc', 'oidc'])
    expect((await server.call(getSignInMethods, {}, again.body.access_token)).body).toMatchObject({
      password: false,
      google: false,
      oidc: true,
    })
  })

  it('is announced in the configuration', async () => {
    const { body } = await server.call(getConfig, {})
    expect(body).toMatchObject({ oidc: { name: 'Authelia' }, features: { oidc: true } })
  })

  it('asks for a code with PKCE, state and nonce, which differ each time', async () => {
    const urls = await Promise.all([1, 2].map(async () => new URL((await start(newVerifier())).body.url).searchParams))
    expect(Object.fromEntries(urls[0] ?? [])).toMatchObject({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: 'https://hither.example.org/api/auth/oidc/callback',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(urls[0]?.get(name)).not.toBe(urls[1]?.get(name))
  })

  it('reads the address at the userinfo endpoint if the ID token has none', async () => {
    const { email, email_verified, ...claims } = provider.claims
    provider.claims = claims
    provider.userInfo = { email, email_verified }
    expect(await finish()).toMatchObject({ status: 201, body: { user: { email } } })
  })

  it('leads back to the requested page, and never to another site', async () => {
    const asked = await signInAtProvider({ return_to: '/pins/1?tab=chat' })
    expect(asked.location.pathname).toBe('/signed-in')
    expect(fragmentOf(asked.location)['return_to']).toBe('/pins/1?tab=chat')
    for (const return_to of ['//evil.example', '/\\evil', 'https://evil.example', '/\t/evil.example', 'evil'])
      expect(fragmentOf((await signInAtProvider({ return_to })).location)['return_to']).toBeUndefined()
  })

  it('returns to the packaged app if it started there', async () => {
    const { location } = await signInAtProvider({ client: 'app' })
    expect(location.href).toMatch(/^hither:\/\/signed-in#code=/)
  })

  it('is finished although the query of the callback has a second question mark', async () => {
    const started = await start(newVerifier())
    const callback = await provider.visit(started.body.url)
    callback.search = `?session_state=a?b&${callback.search.slice(1)}`
    expect((await open(callback)).pathname).toBe('/signed-in')
  })

  it('that the person cancels leads to Login with the reason', async () => {
    const started = await start(newVerifier())
    const callback = await provider.visit(started.body.url)
    callback.searchParams.delete('code')
    callback.searchParams.set('error', 'access_denied')
    expect((await open(callback)).href).toBe('https://hither.example.org/login#error=sign_in_denied')
  })

  it('stores no secret in plain text', async () => {
    const verifier = newVerifier()
    const started = await start(verifier)
    const callback = await provider.visit(started.body.url)
    const { code = '' } = fragmentOf(await open(callback))
    const rows = JSON.stringify(await server.db`select * from auth_challenges`)
    for (const secret of [verifier, code, callback.searchParams.get('state')]) expect(rows).not.toContain(secret)
  })
})

describe('an attack on the flow gets no session and no account', () => {
  async function attempt(): Promise<{ status: number }> {
    const before = await countAccounts()
    const { code, verifier, error } = await signInAtProvider()
    const result = error === undefined ? await server.call(finishOidc, { body: { code, verifier } }) : { status: 401 }
    expect(await countAccounts()).toBe(before)
    return result
  }

  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

  it('but the same token without a change is accepted', async () => {
    provider.forge = signed
    expect((await finish()).status).toBe(201)
  })

  it.each<[string, (payload: Record<string, unknown>) => Promise<string>]>([
    ['a wrong nonce', (payload) => signed({ ...payload, nonce: 'another' })],
    ['no nonce', ({ nonce: _nonce, ...payload }) => signed(payload)],
    ['a wrong issuer', (payload) => signed({ ...payload, iss: 'https://evil.example' })],
    ['a wrong audience', (payload) => signed({ ...payload, aud: 'another-client' })],
    ['a second audience alone', (payload) => signed({ ...payload, aud: [clientId, 'another-client'] })],
    ['a second audience for it', (payload) => signed({ ...payload, aud: [clientId, 'b'], azp: 'b' })],
    ['only other audiences', (payload) => signed({ ...payload, aud: ['a', 'b'], azp: clientId })],
    ['another authorized party', (payload) => signed({ ...payload, azp: 'another-client' })],
    ['no subject', ({ sub: _sub, ...payload }) => signed(payload)],
    [
      'an expired token',
      (payload) => {
        const at = Math.floor(server.clock.now().getTime() / 1000)
        return signed({ ...payload, iat: at - 3700, exp: at - 61 })
      },
    ],
    ['alg none', async (payload) => `${encoded({ alg: 'none' })}.${encoded(payload)}.`],
    [
      'HS256 with the client secret',
      async (payload) => {
        const text = `${encoded({ alg: 'HS256' })}.${encoded(payload)}`
        return `${text}.${createHmac('sha256', 'a secret').update(text).digest('base64url')}`
      },
    ],
    [
      'HS256 with the public key',
      async (payload) => {
        const jwk = JSON.stringify(provider.server.issuer.keys.toJSON()[0])
        const text = `${encoded({ alg: 'HS256', kid: (await key()).kid })}.${encoded(payload)}`
        return `${text}.${createHmac('sha256', jwk).update(text).digest('base64url')}`
      },
    ],
    [
      'the signature of an unpublished key',
      async (payload) => {
        const { privateKey } = await generateKeyPair('RS256')
        return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: (await key()).kid }).sign(privateKey)
      },
    ],
  ])('with %s', async (_what, forge) => {
    provider.forge = forge
    expect((await attempt()).status).toBe(401)
  })

  it('with a wrong, a missing or a used state', async () => {
    const invalid = 'https://hither.example.org/login#error=sign_in_attempt_invalid'
    const started = await start(newVerifier())
    const callback = await provider.visit(started.body.url)
    const forged = new URL(callback)
    forged.searchParams.set('state', newVerifier())
    expect((await open(forged)).href).toBe(invalid)
    forged.searchParams.delete('state')
    expect((await open(forged)).href).toBe(invalid)
    expect((await open(callback)).pathname).toBe('/signed-in')
    expect((await open(callback)).href).toBe(invalid)
  })

  it('with a state of ten minutes ago', async () => {
    const started = await start(newVerifier())
    const callback = await provider.visit(started.body.url)
    server.clock.advance(600_000)
    expect(fragmentOf(await open(callback))['error']).toBe('sign_in_attempt_invalid')
  })

  it('with a foreign verifier, which also uses up the code', async () => {
    const { code, verifier } = await signInAtProvider()
    const before = await countAccounts()
    expect(await server.call(finishOidc, { body: { code, verifier: newVerifier() } })).toMatchObject(interrupted)
    expect(await server.call(finishOidc, { body: { code, verifier } })).toMatchObject(interrupted)
    expect(await countAccounts()).toBe(before)
  })

  it('with a used or an expired code', async () => {
    const { code, verifier } = await signInAtProvider()
    expect((await server.call(finishOidc, { body: { code, verifier } })).status).toBe(201)
    expect(await server.call(finishOidc, { body: { code, verifier } })).toMatchObject(interrupted)
    const late = await signInAtProvider()
    server.clock.advance(60_000)
    const body = { code: late.code, verifier: late.verifier }
    expect(await server.call(finishOidc, { body })).toMatchObject(interrupted)
  })

  it('with a callback of Eve that Ann opens', async () => {
    // Ann's browser has started a sign-in of its own, so it has a verifier, but not that of Eve.
    const annsVerifier = newVerifier()
    await start(annsVerifier)
    const eve = await signInAtProvider()
    expect(await server.call(finishOidc, { body: { code: eve.code, verifier: annsVerifier } })).toMatchObject(
      interrupted,
    )
  })

  it('with the code of a link', async () => {
    const ann = await server.signUp(`ann${number}`)
    const { code, verifier } = await signInAtProvider({ intent: 'link' }, ann)
    expect(await server.call(finishOidc, { body: { code, verifier } })).toMatchObject(interrupted)
  })

  it('with one code sent 20 times at once: exactly one succeeds', async () => {
    const { code, verifier } = await signInAtProvider()
    const all = Array.from({ length: 20 }, () => server.call(finishOidc, { body: { code, verifier } }))
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 401)).toHaveLength(19)
  })
})

describe('an answer of the provider', () => {
  const unreachable = 'sign_in_provider_unreachable'
  const wrongClient = 'it does not accept OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'
  const token = (status: number, body: object | string, headers?: Record<string, string>) =>
    answer('/token', status, body, headers)
  const forge = (claims: object, more?: { alg?: string }) => {
    provider.forge = (payload) => signed({ ...payload, ...claims }, more)
  }

  it.each<[string, () => void, string, string]>([
    [
      'that it does not know the client, with a challenge,',
      () => token(401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic realm="provider"' }),
      unreachable,
      wrongClient,
    ],
    ['that it does not know the client', () => token(400, { error: 'invalid_client' }), unreachable, wrongClient],
    ['that the client may not do this', () => token(400, { error: 'unauthorized_client' }), unreachable, wrongClient],
    ['401 with a page', () => token(401, '<p>No</p>'), unreachable, wrongClient],
    ['404 with a page', () => token(404, '<p>No</p>'), unreachable, 'its token endpoint answers with 404'],
    ['429', () => token(429, {}), unreachable, 'its token endpoint answers with 429'],
    ['500', () => token(500, {}), unreachable, 'it fails'],
    ['a page', () => token(200, '<p>Hi</p>'), unreachable, 'its answer has no ID token: is the scope openid allowed?'],
    [
      'that the redirect address is another one',
      () => token(400, { error: 'invalid_request' }),
      unreachable,
      'its token endpoint answers with 400',
    ],
    [
      'with another algorithm',
      () => forge({}, { alg: 'RS512' }),
      unreachable,
      'its token is not signed with one of RS256, PS256, ES256, EdDSA, Ed25519',
    ],
    ['for another client', () => forge({ aud: 'b' }), unreachable, 'the claim aud of its token is missing or wrong'],
    ['for two clients', () => forge({ aud: [clientId, 'b'] }), unreachable, 'its ID token is for another client'],
    [
      'that the code is wrong',
      () => token(400, { error: 'invalid_grant' }),
      'sign_in_attempt_invalid',
      'it does not accept the code',
    ],
    [
      'of another sign-in',
      () => forge({ nonce: 'n' }),
      'sign_in_attempt_invalid',
      'its ID token belongs to another sign-in',
    ],
  ])('%s is refused, and the log says why', async (_what, prepare, error, reason) => {
    prepare()
    expect((await signInAtProvider()).error).toBe(error)
    // 40 is the level of warnings.
    expect(reasons()).toEqual([[40, reason]])
  })

  it('with an error in place of a code is not the fault of the person', async () => {
    for (const [error, reason] of [
      ['invalid_scope', 'it refused the sign-in: invalid_scope'],
      ['sam@example.org', 'it refused the sign-in: unknown error'],
    ] as const) {
      lines.length = 0
      const callback = await provider.visit((await start(newVerifier())).body.url)
      callback.searchParams.delete('code')
      callback.searchParams.set('error', error)
      expect(fragmentOf(await open(callback))['error']).toBe(unreachable)
      expect(reasons()).toEqual([[40, reason]])
    }
  })

  it('of another issuer is refused', async () => {
    const callback = await provider.visit((await start(newVerifier())).body.url)
    callback.searchParams.set('iss', 'https://evil.example')
    expect(fragmentOf(await open(callback))['error']).toBe(unreachable)
    expect(reasons()).toEqual([[40, 'its answer names another issuer']])
  })

  it('for several audiences is accepted if this client is the authorized party', async () => {
    forge({ aud: ['207625234567516721', clientId], azp: clientId })
    expect((await finish()).status).toBe(201)
    forge({ azp: null })
    expect((await finish()).status).toBe(200)
    expect(reasons()).toEqual([])
  })

  it('may have members that are null', async () => {
    provider.server.service.once('beforeResponse', ({ body }: { body: Record<string, unknown> }) => {
      Object.assign(body, { refresh_token: null, scope: null, expires_in: null, error: null, token_type: null })
    })
    expect((await finish()).status).toBe(201)
  })

  it('comes to a client that identifies itself without needless escapes', async () => {
    const seen: unknown[] = []
    const configuration = await fetch(`${provider.issuer}/.well-known/openid-configuration`)
    const published = (await configuration.json()) as object
    answer('/.well-known/openid-configuration', 200, { ...published, token_endpoint_auth_methods_supported: null })
    const client = { OIDC_CLIENT_ID: '5e1f-4c_2a.b', OIDC_CLIENT_SECRET: 'a secret+' }
    const at = await startServer(settings(provider.issuer, client))
    provider.answers.set('/token', (request, response) => {
      seen.push(request.headers.authorization)
      return provider.server.service.requestHandler(request, response)
    })
    expect((await finish({}, at)).status).toBe(201)
    expect(seen).toEqual([`Basic ${Buffer.from('5e1f-4c_2a.b:a+secret%2B').toString('base64')}`])
    await at.close()
  })
})

describe('the claims of ID token and userinfo', () => {
  type Given = Record<string, unknown>

  it.each<[string, Given, Given, number, string?]>([
    ['the address from one and its proof from the other', { email_verified: undefined }, { email_verified: true }, 403],
    ['a proof without an address', { email: undefined }, { email_verified: false }, 403],
    ['an address with its proof in userinfo', { email_verified: null }, { email_verified: true, email: '=' }, 201],
    ['null and an address in userinfo', { email: null }, { email_verified: true, email: '=' }, 201],
    ['an empty address and one in userinfo', { email: '' }, { email_verified: true, email: '=' }, 201],
    ['no usable address and one in userinfo', { email: 'none' }, { email_verified: true, email: '=' }, 201],
    ['a proof, and an unverified address in userinfo', { email: null }, { email_verified: false, email: '=' }, 403],
    [
      'an unverified address, verified in userinfo',
      { email_verified: false },
      { email_verified: true, email: '=' },
      403,
    ],
    ['a username in userinfo', { preferred_username: undefined }, { preferred_username: 'hazel' }, 201, 'hazel'],
    ['null and a name in userinfo', { preferred_username: null }, { name: 'Hazel' }, 201, 'Hazel'],
    [
      'a name, and a username in userinfo',
      { preferred_username: undefined, name: 'A B' },
      { preferred_username: 'ab' },
      201,
      'ab',
    ],
  ])('with %s', async (_what, claims, info, status, username) => {
    const { email } = provider.claims
    provider.claims = { ...provider.claims, ...claims }
    provider.userInfo = { ...info, ...(info['email'] === '=' && { email }) }
    const { status: answered, body } = await finish()
    expect(answered).toBe(status)
    // Names may be taken by the person of another row.
    if (username !== undefined) expect(body.user.username).toMatch(new RegExp(`^${username}\\d*$`))
  })

  it('need no userinfo if it fails and the token states the address', async () => {
    for (const [status, body, reason] of [
      [500, {}, 'it fails'],
      [403, {}, 'its userinfo endpoint answers with 403'],
      [200, { sub: 'somebody else', preferred_username: 'other' }, 'its userinfo endpoint describes another person'],
    ] as const) {
      lines.length = 0
      answer('/userinfo', status, body)
      expect((await finish()).body.user.username).toBe(`sam-${number}`)
      expect(reasons()).toEqual([[40, reason]])
    }
    provider.claims = { sub: `subject-${number}` }
    expect((await finish()).status).toBe(200)
  })

  it('are read from a signed userinfo, and from none with another signature', async () => {
    const { email, email_verified, sub } = provider.claims
    provider.claims = { sub }
    const jwt = await signed({ sub, email, email_verified })
    const forged = jwt.replace(/[^.]+$/, (signature) => [...signature].reverse().join(''))
    answer('/userinfo', 200, forged, { 'content-type': 'application/jwt' })
    expect((await finish()).status).toBe(403)
    answer('/userinfo', 200, jwt, { 'content-type': 'application/jwt;charset=UTF-8' })
    expect((await finish()).status).toBe(201)
  })
})

describe('the account of a sign-in', () => {
  const unverified = {
    status: 403,
    body: {
      detail: 'This sign-in has no verified email address. Please contact your server admin.',
      code: 'identity_email_unverified',
    },
  }

  it.each([{ email: undefined }, { email_verified: false }, { email_verified: undefined }, { email: 'no address' }])(
    'is none without a verified address: %j',
    async (claims) => {
      provider.claims = { ...provider.claims, ...claims }
      expect(await finish()).toMatchObject(unverified)
    },
  )

  it('is the one with the same confirmed address, which is linked and gets a security event', async () => {
    const ann = await server.signUp(`ann${number}`)
    await server.db`update users set email_confirmed_at = now() where id = ${ann.id}`
    provider.claims = { ...provider.claims, email: ann.email.toUpperCase() }
    const { status, body } = await finish()
    expect({ status, id: body.user.id }).toEqual({ status: 200, id: ann.id })
    const { body: identities } = await server.call(listIdentities, {}, ann)
    expect(identities).toMatchObject([{ kind: 'oidc', name: 'Authelia', email: ann.email.toUpperCase() }])
    const events = (await server.call(listSecurityEvents, {}, ann)).body
    expect(events.map(({ kind, seen_at }) => [kind, seen_at])).toEqual([['provider_linked', null]])
    expect((await server.call(login, { body: { email: ann.email, password } })).status).toBe(200)
  })

  it('is the one with the same domain in another spelling, and not one with an address that looks alike', async () => {
    const signUp = async (email: string, username: string) => {
      const { body } = await server.call(signup, { body: { email, password, username } })
      const { id } = (body as AuthSession).user
      await server.db`update users set email_confirmed_at = now() where id = ${id}`
      return id
    }
    const eva = await signUp(`eva${number}@m\u00fcnchen.example`, `eva${number}`)
    provider.claims = { ...provider.claims, email: `eva${number}@xn--mnchen-3ya.example` }
    expect((await finish()).body.user.id).toBe(eva)
    const ivan = await signUp(`ivan${number}@kiosk.example`, `ivan${number}`)
    for (const [index, email] of [
      `ivan${number}@k\u0130osk.example`,
      `\u0130van${number}@kiosk.example`,
      `ivan${number}@\u212aiosk.example`,
    ].entries()) {
      provider.claims = { ...provider.claims, sub: `like-ivan-${number}-${index}`, email }
      const { status, body } = await finish()
      if (status === 201) expect(body.user.id).not.toBe(ivan)
      else expect({ status, body }).toMatchObject(unverified)
    }
  })

  it('is not an unconfirmed one with the same address, which keeps its password and sessions', async () => {
    const ann = await server.signUp(`ann${number}`)
    provider.claims = { ...provider.claims, email: ann.email }
    expect(await finish()).toMatchObject({
      status: 409,
      body: {
        detail: 'This email already has an account. Sign in to it first, then link this sign-in in Profile.',
      },
    })
    expect((await server.call(getMe, {}, ann)).body.email_confirmed_at).toBeNull()
    expect((await server.call(login, { body: { email: ann.email, password } })).status).toBe(200)
    expect((await server.call(listIdentities, {}, ann)).body).toEqual([])
  })

  it('is refused if it is suspended', async () => {
    const { body } = await finish()
    await server.db`
      insert into suspensions (user_id, reason, suspended_at) values (${body.user.id}, 'spam', ${server.clock.now()})`
    expect(await finish()).toMatchObject({ status: 403 })
  })

  it('is a new one after the old one was deleted', async () => {
    const { body } = await finish()
    expect((await server.call(deleteAccount, { body: {} }, body.access_token)).status).toBe(204)
    const again = await finish()
    expect(again.status).toBe(201)
    expect(again.body.user.id).not.toBe(body.user.id)
  })

  it('uses an unverified address only with OIDC_TRUST_EMAIL', async () => {
    const trusting = await startServer(settings(provider.issuer, { OIDC_TRUST_EMAIL: 'on' }))
    provider.claims = { ...provider.claims, email_verified: undefined }
    expect((await finish({}, trusting)).status).toBe(201)
    const ann = await trusting.signUp(`ann${number}`)
    provider.claims = { ...provider.claims, sub: `second-${number}`, email: ann.email }
    expect((await finish({}, trusting)).status).toBe(409)
    provider.claims = { ...provider.claims, email: undefined }
    expect(await finish({}, trusting)).toMatchObject(unverified)
    await trusting.close()
  })
})

describe('the claims of a person', () => {
  const usernameOf = async (claims: Record<string, unknown>) => {
    provider.claims = { ...provider.claims, preferred_username: undefined, ...claims }
    const { status, body } = await finish()
    expect(status).toBe(201)
    return body.user.username
  }

  it.each([
    ['a NUL', 'nul\u0000name', 'nul.name'],
    ['a line break', 'line\nbreak', 'line.break'],
    ['half a surrogate pair', 'half\ud83d', 'half'],
    ['an emoji where the name is cut', `${'l'.repeat(199)}\ud83d\ude00`, 'l'.repeat(30)],
  ])('lead to a username without %s', async (_what, name, username) => {
    expect(await usernameOf({ preferred_username: name })).toBe(username)
    expect(await usernameOf({ sub: `other-${number}`, email: `other${number}@example.org`, name })).toContain(
      username.slice(0, 29),
    )
  })

  it('lead to the username of the next name if the first one has no usable character', async () => {
    const name = `Yamada ${number}`
    expect(await usernameOf({ preferred_username: '山田', name })).toBe(`Yamada.${number}`)
    const others = { sub: `second-${number}`, email: `hana${number}@example.org`, name: '花' }
    expect(await usernameOf({ preferred_username: ' ', ...others })).toBe(`hana${number}`)
  })

  it.each(['sam\u0000@example.org', 'sam\ud83d@example.org'])('have no address in %j', async (email) => {
    provider.claims = { ...provider.claims, email }
    expect(await finish()).toMatchObject({ status: 403 })
  })

  it.each(['sam\u0000', 'sam\ud83d'])('are refused with the subject %j', async (sub) => {
    provider.claims = { ...provider.claims, sub }
    expect((await signInAtProvider()).error).toBe('sign_in_attempt_invalid')
  })
})

describe('the registration mode', () => {
  it.each([
    ['registration', 403],
    ['on', 201],
    ['off', 403],
  ] as const)('closed with OIDC_SIGNUP %s answers a new person with %i', async (signUp, expected) => {
    const at = await startServer(settings(provider.issuer, { OIDC_SIGNUP: signUp }))
    await at.db`update registration set mode = 'closed'`
    const { status, body } = await finish({}, at)
    expect(status).toBe(expected)
    if (expected === 403)
      expect(body).toMatchObject({
        detail: "This server isn't accepting new accounts right now.",
        code: 'registration_closed',
      })
    await at.close()
  })

  it('invite needs an invitation, and counts one use', async () => {
    const at = await startServer(settings(provider.issuer))
    const admin = await makeAdmin(at, await at.signUp('admin'))
    await at.call(setRegistration, { body: { mode: 'invite' } }, admin)
    const { body: invitation } = await at.call(createInvitation, { body: { note: 'Sam', uses: 2 } }, admin)
    const code = new URL(invitation.url).hash.slice(1)
    expect(await finish({}, at)).toMatchObject({
      status: 403,
      body: { detail: 'You need an invitation link to sign up here.', code: 'invitation_required' },
    })
    expect((await finish({ invitation: code }, at)).status).toBe(201)
    const [row] = await at.db<[{ uses_left: number }]>`select uses_left from invitations`
    expect(row.uses_left).toBe(1)
    await at.close()
  })
})

describe('a linked provider', () => {
  let ann: Person
  beforeEach(async () => {
    ann = await server.signUp(`ann${number}`)
  })

  async function link(who = ann, body: StartBody = {}) {
    const { code, verifier } = await signInAtProvider({ intent: 'link', ...body }, who)
    return server.call(linkOidc, { body: { code, verifier } }, who)
  }

  it('signs in to the account, whatever its address, until it is unlinked', async () => {
    expect((await link()).status).toBe(204)
    expect((await link()).status).toBe(204)
    expect((await finish()).body.user.id).toBe(ann.id)
    const unlink = () => server.call(unlinkIdentity, { params: { kind: 'oidc' }, body: {} }, ann)
    expect((await unlink()).status).toBe(204)
    expect((await unlink()).status).toBe(204)
    expect((await server.call(listIdentities, {}, ann)).body).toEqual([])
    expect((await finish()).body.user.id).not.toBe(ann.id)
    const events = (await server.call(listSecurityEvents, {}, ann)).body
    expect(events.map(({ kind }) => kind)).toEqual(['provider_unlinked', 'provider_linked'])
  })

  it('cannot be linked to a second account', async () => {
    await link()
    const bob = await server.signUp(`bob${number}`)
    expect(await link(bob)).toMatchObject({
      status: 409,
      body: { detail: 'This sign-in is already linked to another account.', code: 'identity_in_use' },
    })
  })

  it('cannot be linked by somebody else with the code, or without an account', async () => {
    const { code, verifier } = await signInAtProvider({ intent: 'link' }, ann)
    const eve = await server.signUp(`eve${number}`)
    expect(await server.call(linkOidc, { body: { code, verifier } }, eve)).toMatchObject(interrupted)
    expect((await start(newVerifier(), { intent: 'link' })).status).toBe(401)
  })

  it('cannot be linked with the code of a sign-in', async () => {
    const { code, verifier } = await signInAtProvider({}, ann)
    expect(await server.call(linkOidc, { body: { code, verifier } }, ann)).toMatchObject(interrupted)
  })

  it('needs a recent sign-in or the password to be linked and unlinked', async () => {
    const again = { status: 403, body: { detail: 'Please sign in again to do this.', code: 'recent_sign_in_required' } }
    server.clock.advance(660_000)
    expect(await start(newVerifier(), { intent: 'link' }, ann)).toMatchObject(again)
    expect((await link(ann, { password })).status).toBe(204)
    const unlink = (body: { password?: string }) => server.call(unlinkIdentity, { params: { kind: 'oidc' }, body }, ann)
    expect(await unlink({})).toMatchObject(again)
    expect((await unlink({ password })).status).toBe(204)
  })

  it('cannot be unlinked as the last way to sign in', async () => {
    const { body: session } = await finish()
    const unlink = (as: AuthSession) =>
      server.call(unlinkIdentity, { params: { kind: 'oidc' }, body: {} }, as.access_token)
    expect(await unlink(session)).toMatchObject({
      status: 409,
      body: { detail: 'Set a password or add another passkey first.', code: 'last_sign_in_method' },
    })
    expect((await finish()).status).toBe(200)
  })
})

describe('a callback that fails', () => {
  const invalid = 'https://hither.example.org/login#error=sign_in_attempt_invalid'

  it('because of too many calls leads to Login, and its sign-in can be finished later', async () => {
    const at = await startServer(settings(provider.issuer, { RATE_LIMITS: 'on' }))
    clock = at.clock.now
    const started = await start(newVerifier(), {}, undefined, at)
    const callback = await provider.visit(started.body.url)
    const unknown = new URL('https://hither.example.org/api/auth/oidc/callback?state=x')
    for (let call = 0; call < 30; call++) await open(unknown, at)
    expect((await open(callback, at)).href).toBe(invalid)
    at.clock.advance(30_000)
    expect((await open(callback, at)).pathname).toBe('/signed-in')
    await at.close()
  })

  it('because of an unexpected error leads to Login, and the error is logged', async () => {
    const lines: string[] = []
    const at = await startServer(settings(provider.issuer), pino({}, { write: (line) => lines.push(line) }))
    await at.db`alter table auth_challenges rename to elsewhere`
    expect((await open(new URL('https://h/api/auth/oidc/callback?state=x'), at)).href).toBe(invalid)
    expect(lines.join('')).toContain('unexpected error')
    await at.close()
  })
})

describe('an account without a password', () => {
  it('signs in with the provider again to set one if its link to Google cannot be used', async () => {
    const setPassword = (as: AuthSession) =>
      server.call(changePassword, { body: { new_password: 'a first one of mine' } }, as.access_token)
    const { body: session } = await finish()
    await server.db`
      insert into identities (issuer, subject, user_id, created_at)
      values ('https://accounts.google.com', ${`google-${number}`}, ${session.user.id}, ${server.clock.now()})`
    server.clock.advance(660_000)
    expect(await setPassword(session)).toMatchObject({
      status: 403,
      body: { detail: 'Please sign in again to do this.', code: 'recent_sign_in_required' },
    })
    expect((await setPassword((await finish()).body)).status).toBe(204)
  })
})

describe('the provider', () => {
  it('that is unreachable when the server starts is used once it is back', async () => {
    const port = await freePort()
    const at = await startServer(settings(`http://localhost:${port}`))
    const ann = await at.signUp('ann')
    expect((await at.call(login, { body: { email: ann.email, password } })).status).toBe(200)
    expect(await start(newVerifier(), {}, undefined, at)).toMatchObject({
      status: 503,
      body: {
        detail: "Your sign-in provider isn't available right now. Please try again in a moment.",
        code: 'sign_in_provider_unreachable',
      },
    })
    const late = await startOpenIdProvider(at.clock.now, port)
    late.claims = provider.claims
    const verifier = newVerifier()
    const started = await start(verifier, {}, undefined, at)
    const { code = '' } = fragmentOf(await open(await late.visit(started.body.url), at))
    expect((await at.call(finishOidc, { body: { code, verifier } })).status).toBe(201)
    await at.close()
    await late.stop()
  })
})

it('without a provider every call returns 501, and a callback leads to Login', async () => {
  const plain = await startServer()
  const missing = {
    status: 501,
    body: { detail: 'Sign-in with a provider is not configured', code: 'oidc_not_configured' },
  }
  expect(await plain.call(startOidc, { body: { challenge: challengeOf('x') } })).toMatchObject(missing)
  expect(await plain.call(finishOidc, { body: { code: 'x', verifier: 'y' } })).toMatchObject(missing)
  expect(fragmentOf(await open(new URL('http://h/api/auth/oidc/callback?state=x&code=y'), plain))['error']).toBe(
    'sign_in_attempt_invalid',
  )
  expect((await plain.call(getConfig, {})).body).toMatchObject({ oidc: null, features: { oidc: false } })
  await plain.close()
})
