import { createHash, randomBytes } from 'node:crypto'
import {
  type AuthSession,
  changePassword,
  endSession,
  getSignInMethods,
  google,
  listSessions,
  login,
  refresh,
  resetPassword,
} from '@hither/contract/auth/auth.ts'
import { finishOidc, linkOidc, startOidc, unlinkIdentity } from '@hither/contract/auth/oidc.ts'
import {
  createPasskey,
  createPasskeyOptions,
  createPasskeySignInOptions,
  deletePasskey,
  signInWithPasskey,
} from '@hither/contract/auth/passkeys.ts'
import { createRecoveryCodes } from '@hither/contract/auth/recovery.ts'
import type { SessionId } from '@hither/contract/ids.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import { deleteAccount, getMe } from '@hither/contract/users.ts'
import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Authenticator, createAuthenticator } from '../../test/authenticator.ts'
import { password, startServer, type TestServer } from '../../test/harness.ts'
import { type OpenIdProvider, startOpenIdProvider } from '../../test/openid-provider.ts'
import { beginCall } from '../../test/pending-call.ts'
import { race } from '../../test/race.ts'
import type { Tx } from '../platform/db/database.ts'

const origin = 'https://hither.example.org'
const googleId = 'hither.apps.example.org'
const newPassword = 'a new and better one'
const passkeyInvalid = {
  status: 401,
  body: { detail: "This passkey doesn't work here. Try another way to sign in.", code: 'passkey_invalid' },
}
const interrupted = {
  status: 401,
  body: { detail: 'This sign-in was interrupted or has expired. Please try again.', code: 'sign_in_attempt_invalid' },
}

let clock: () => Date = () => new Date()
let provider: OpenIdProvider
let googleIssuer: OAuth2Server
let server: TestServer
let device: Authenticator
let number = 0

beforeAll(async () => {
  provider = await startOpenIdProvider(() => clock())
  googleIssuer = new OAuth2Server()
  await googleIssuer.issuer.keys.generate('RS256')
  await googleIssuer.start(0, 'localhost')
  server = await startServer({
    ...{ PUBLIC_URL: origin, OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'hither' },
    ...{ GOOGLE_CLIENT_ID: googleId, GOOGLE_ISSUER: googleIssuer.issuer.url ?? '' },
  })
  clock = server.clock.now
})

beforeEach(() => {
  number++
  device = createAuthenticator(origin)
})

afterAll(async () => {
  await server.close()
  await provider.stop()
  await googleIssuer.stop()
})

const lockUser = (id: string) => (tx: Tx) => tx`select id from users where id = ${id} for no key update`

/** Starts the calls one after another while the user is locked. */
async function statusesOf(id: string, ...calls: (() => Promise<{ status: number }>)[]) {
  return (await race(server.db, lockUser(id), ...calls)).map(({ status }) => status)
}

/** Performs a sign-in with the provider up to the code in the fragment. */
async function visitProvider(subject: string, intent: 'sign_in' | 'link' = 'sign_in', as?: string) {
  provider.claims = { sub: subject, email: `${subject}@example.org`, email_verified: true, name: subject }
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const { body } = await server.call(startOidc, { body: { challenge, intent } }, as)
  const { pathname, search } = await provider.visit(body.url)
  const answer = await fetch(`${server.url}${pathname}${search}`, { redirect: 'manual' })
  return { verifier, code: /code=([\w-]+)/.exec(answer.headers.get('location') ?? '')?.[1] ?? '' }
}

async function signInAtProvider(subject = `sam${number}`): Promise<AuthSession> {
  return (await server.call(finishOidc, { body: await visitProvider(subject) })).body
}

function googleToken(subject: string, email: string): Promise<string> {
  const at = Math.floor(server.clock.now().getTime() / 1000)
  const claims = { sub: subject, aud: googleId, email, email_verified: true, name: subject, iat: at, nbf: at }
  return googleIssuer.issuer.buildToken({
    expiresIn: 3600,
    scopesOrTransform: (_header, payload) => Object.assign(payload, claims),
  })
}

async function addPasskey(as: string) {
  const { body: options } = await server.call(createPasskeyOptions, { body: {} }, as)
  return server.call(createPasskey, { body: { response: device.create(options) } }, as)
}

async function reset(email: string) {
  const link = await server.app.createOperatorLink(email)
  const token = new URLSearchParams(new URL(link?.url ?? '').hash.slice(1)).get('token') ?? ''
  return () => server.call(resetPassword, { body: { token, password: newPassword } })
}

async function methodsOf(as: string) {
  return (await server.call(getSignInMethods, {}, as)).body
}

/**
 * The calls that change how an account can be entered. The session is one of an account without a password. Each function
 * prepares a call and returns the function that makes it.
 */
const changes: Record<string, (as: string) => Promise<() => Promise<{ status: number }>>> = {
  'new recovery codes': async (as) => () => server.call(createRecoveryCodes, { body: {} }, as),
  'a new passkey': async (as) => {
    const { body: options } = await server.call(createPasskeyOptions, { body: {} }, as)
    const response = createAuthenticator(origin).create(options)
    return () => server.call(createPasskey, { body: { response } }, as)
  },
  'the removal of a passkey': async (as) => {
    const { body: passkey } = await addPasskey(as)
    return () => server.call(deletePasskey, { params: { id: passkey.id }, body: {} }, as)
  },
  'a linked provider': async (as) => {
    const attempt = await visitProvider(`second${number}`, 'link', as)
    return () => server.call(linkOidc, { body: attempt }, as)
  },
  'an unlinked provider': async (as) => {
    await addPasskey(as)
    return () => server.call(unlinkIdentity, { params: { kind: 'oidc' }, body: {} }, as)
  },
  'a first password': async (as) => () =>
    server.call(changePassword, { body: { new_password: 'a first one of mine' } }, as),
  'the deletion of the account': async (as) => () => server.call(deleteAccount, { body: {} }, as),
}

/** The calls that begin such a change, or that need no lock. */
const beginnings: typeof changes = {
  'the options of a passkey': async (as) => () => server.call(createPasskeyOptions, { body: {} }, as),
  'the start of a link': async (as) => () =>
    server.call(startOidc, { body: { challenge: 'a'.repeat(43), intent: 'link' } }, as),
}

describe('an ended session cannot make', () => {
  it.each(Object.entries(changes))('%s that waits while the password is reset', async (_name, prepare) => {
    const { access_token: token, user } = await signInAtProvider()
    const change = await prepare(token)
    const before = await methodsOf(token)
    expect(await statusesOf(user.id, await reset(user.email), change)).toEqual([204, 401])
    const signedIn = await server.call(login, { body: { email: user.email, password: newPassword } })
    expect(signedIn.status).toBe(200)
    expect(await methodsOf(signedIn.body.access_token)).toEqual({ ...before, password: true })
  })

  // As on a node that has not yet received that the session ended on another node.
  it.each(Object.entries({ ...changes, ...beginnings }))('%s before its end is announced', async (_name, prepare) => {
    const { access_token: token, user } = await signInAtProvider()
    const change = await prepare(token)
    const before = await methodsOf(token)
    await server.db`update sessions set ended_at = ${server.clock.now()} where user_id = ${user.id}`
    expect((await change()).status).toBe(401)
    await server.db`update sessions set ended_at = null, expires_at = ${server.clock.now()} where user_id = ${user.id}`
    expect((await change()).status).toBe(401)
    expect(await methodsOf(token)).toEqual(before)
    expect(await server.db`select 1 from auth_challenges where user_id = ${user.id}`).toHaveLength(0)
  })

  it('new recovery codes whose call began before the password was reset', async () => {
    const ann = await server.signUp(`ann${number}`)
    const eve = await server.signIn(ann)
    const call = await beginCall(
      `${server.url}/api${splitAddress(createRecoveryCodes.address).path}`,
      eve.session.access_token,
      {},
    )
    expect((await (await reset(ann.email))()).status).toBe(204)
    expect(await call.finish()).toBe(401)
    const { body } = await server.call(login, { body: { email: ann.email, password: newPassword } })
    expect((await methodsOf(body.access_token)).recovery_codes).toBe(0)
  })
})

it('the end of a session waits for a change that the session has begun', async () => {
  const { session } = await server.signUp(`ann${number}`)
  const token = session.access_token
  const newCodes = () => server.call(createRecoveryCodes, { body: {} }, token)
  expect((await newCodes()).status).toBe(201)
  const [current] = (await server.call(listSessions, {}, token)).body
  const end = () => server.call(endSession, { params: { id: current?.id as SessionId } }, token)
  const lockCodes = (tx: Tx) => tx`select 1 from recovery_codes where user_id = ${session.user.id} for update`
  const answers = await race<{ status: number }>(server.db, lockCodes, newCodes, end)
  expect(answers.map(({ status }) => status)).toEqual([201, 204])
})

describe('a change that was started before a new password', () => {
  async function startChanges(as: string) {
    const { body: options } = await server.call(createPasskeyOptions, { body: {} }, as)
    return { response: device.create(options), attempt: await visitProvider(`second${number}`, 'link', as) }
  }

  it('cannot be finished after the password was changed, also by the same session', async () => {
    const { session } = await server.signUp(`ann${number}`)
    const { response, attempt } = await startChanges(session.access_token)
    const body = { current_password: password, new_password: newPassword }
    expect((await server.call(changePassword, { body }, session.access_token)).status).toBe(204)
    const passkey = await server.call(createPasskey, { body: { response } }, session.access_token)
    expect(passkey).toMatchObject(passkeyInvalid)
    const link = await server.call(linkOidc, { body: attempt }, session.access_token)
    expect(link).toMatchObject(interrupted)
  })

  it('cannot be finished after the password was reset', async () => {
    const ann = await server.signUp(`ann${number}`)
    const { response, attempt } = await startChanges(ann.session.access_token)
    await (await reset(ann.email))()
    const { body: session } = await server.call(login, { body: { email: ann.email, password: newPassword } })
    const passkey = await server.call(createPasskey, { body: { response } }, session.access_token)
    expect(passkey).toMatchObject(passkeyInvalid)
    const link = await server.call(linkOidc, { body: attempt }, session.access_token)
    expect(link).toMatchObject(interrupted)
  })
})

describe('a sign-in opens no session', () => {
  it('with a password that was reset after it was checked', async () => {
    const ann = await server.signUp(`ann${number}`)
    const signIn = () => server.call(login, { body: { email: ann.email, password } })
    expect(await statusesOf(ann.id, await reset(ann.email), signIn)).toEqual([204, 401])
    expect((await server.call(login, { body: { email: ann.email, password: newPassword } })).status).toBe(200)
  })

  it('with a password that was changed after it was checked', async () => {
    const ann = await server.signUp(`ann${number}`)
    const change = () =>
      server.call(changePassword, { body: { current_password: password, new_password: newPassword } }, ann)
    const signIn = () => server.call(login, { body: { email: ann.email, password } })
    expect(await statusesOf(ann.id, change, signIn)).toEqual([204, 401])
  })

  it('with a provider that was unlinked after it was checked', async () => {
    const ann = await server.signUp(`ann${number}`)
    const token = ann.session.access_token
    await server.call(linkOidc, { body: await visitProvider(`sam${number}`, 'link', token) }, token)
    const attempt = await visitProvider(`sam${number}`)
    const unlink = () => server.call(unlinkIdentity, { params: { kind: 'oidc' }, body: {} }, token)
    const signIn = () => server.call(finishOidc, { body: attempt })
    const [unlinked, signedIn] = await race<{ status: number; body: unknown }>(
      server.db,
      lockUser(ann.id),
      unlink,
      signIn,
    )
    expect(unlinked?.status).toBe(204)
    expect(signedIn).toMatchObject(interrupted)
  })

  it("with Google's button after Google was unlinked", async () => {
    const ann = await server.signUp(`ann${number}`)
    await server.db`update users set email_confirmed_at = created_at where id = ${ann.id}`
    const body = { id_token: await googleToken(`ann-${number}`, ann.email) }
    const signIn = () => server.call(google, { body })
    expect((await signIn()).status).toBe(200)
    const unlink = () => server.call(unlinkIdentity, { params: { kind: 'google' }, body: {} }, ann)
    expect(await statusesOf(ann.id, unlink, signIn)).toEqual([204, 401])
  })

  it('with a passkey that was removed after it was checked', async () => {
    const ann = await server.signUp(`ann${number}`)
    const { body: passkey } = await addPasskey(ann.session.access_token)
    const { body: options } = await server.call(createPasskeySignInOptions, {})
    const response = device.get(options)
    const remove = () => server.call(deletePasskey, { params: { id: passkey.id }, body: {} }, ann)
    const signIn = () => server.call(signInWithPasskey, { body: { response } })
    expect(await statusesOf(ann.id, remove, signIn)).toEqual([204, 401])
  })
})

it('a stranger who changes the password of an account while its owner takes it over does not keep it', async () => {
  const eve = await server.signUp(`ann${number}`)
  const change = () =>
    server.call(changePassword, { body: { current_password: password, new_password: newPassword } }, eve)
  const body = { id_token: await googleToken(`ann-${number}`, eve.email) }
  const takeOver = () => server.call(google, { body })
  expect(await statusesOf(eve.id, change, takeOver)).toEqual([204, 200])
  for (const secret of [password, newPassword])
    expect((await server.call(login, { body: { email: eve.email, password: secret } })).status).toBe(401)
  expect((await server.call(refresh, { body: { refresh_token: eve.session.refresh_token } })).status).toBe(401)
  expect((await server.call(getMe, {}, eve)).status).toBe(401)
})
