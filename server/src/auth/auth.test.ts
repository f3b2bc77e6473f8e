import { Worker } from 'node:worker_threads'
import { login, signup } from '@hither/contract/auth/auth.ts'
import { getMe } from '@hither/contract/users.ts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Person, password, startServer, type TestServer, testPasswordCost } from '../../test/harness.ts'
import type { PasswordJob } from './password-hashing/password-worker.ts'
import { owaspCost, setPasswordCost } from './password-hashing/passwords.ts'

let server: TestServer
let ann: Person

beforeAll(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
})

afterAll(() => server.close())

describe('signing up', () => {
  it('creates an account and signs it in', async () => {
    const body = { email: 'Bob@Example.org', password, username: 'Bob' }
    const answer = await server.call(signup, { body })
    expect(answer.status).toBe(201)
    const now = server.clock.now()
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 3600,
      expires_at: Math.floor(now.getTime() / 1000) + 3600,
      token_type: 'bearer',
      user: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        email: 'Bob@Example.org',
        email_confirmed_at: null,
        created_at: now.toISOString(),
        updated_at: now.toISOString(),
        username: 'Bob',
        display_name: null,
        has_image: false,
        auto_join_chats: true,
        locale: null,
      },
    })
  })

  it('refuses a taken name or address, ignoring case', async () => {
    const name = await server.call(signup, { body: { email: 'new@example.org', password, username: 'ANN' } })
    expect(name).toMatchObject({ status: 409, body: { detail: 'Username already taken', code: 'username_taken' } })
    const address = await server.call(signup, { body: { email: 'ANN@EXAMPLE.ORG', password, username: 'new' } })
    expect(address).toMatchObject({
      status: 409,
      body: { detail: 'Email already registered', code: 'email_registered' },
    })
    const [count] = await server.db`select count(*)::int from users where username_key in ('ann', 'new')`
    expect(count).toEqual({ count: 1 })
  })

  it('refuses another spelling of the domain of a taken address, and takes a similar address', async () => {
    const signUp = (email: string, username: string) => server.call(signup, { body: { email, password, username } })
    expect((await signUp('eva@m\u00fcnchen.example', 'eva')).status).toBe(201)
    for (const email of ['eva@xn--mnchen-3ya.example', 'EVA@MU\u0308NCHEN.example'])
      expect(await signUp(email, 'eva2')).toMatchObject({ status: 409, body: { code: 'email_registered' } })
    for (const [index, email] of ['eva@munchen.example', '\u0117va@m\u00fcnchen.example'].entries())
      expect((await signUp(email, `similar${index}`)).status).toBe(201)
    const signedIn = await server.call(login, { body: { email: 'Eva@XN--MNCHEN-3YA.example', password } })
    expect(signedIn.body.user.username).toBe('eva')
  })

  it.each([
    ['email', undefined, 'required'],
    ['email', 'not an address', 'format'],
    ['email', 'b..ob@example.org', 'format'],
    ['email', 'ann\u202e@example.org', 'format'],
    ['email', 'a@b', 'format'],
    ['email', 'a b@example.org', 'format'],
    ['email', `${'a'.repeat(64)}@${'b1.'.repeat(63)}cd`, 'maxLength'],
    ['email', 'a\u0000b@example.org', 'format'],
    ['email', 7, 'type'],
    ['email', null, 'type'],
    ['password', undefined, 'required'],
    ['password', '12345', 'minLength'],
    ['password', 'x'.repeat(257), 'maxLength'],
    ['password', '123456\u0000', 'pattern'],
    ['password', 123456, 'type'],
    ['username', undefined, 'required'],
    ['username', 'x', 'minLength'],
    ['username', 'x'.repeat(31), 'maxLength'],
    ['username', 'two words', 'pattern'],
    ['username', 'a\u0000b', 'pattern'],
    ['username', ['eve'], 'type'],
  ])('refuses the %s %j', async (field, value, type) => {
    const body = { email: 'eve@example.org', password, username: 'eve', [field]: value }
    const answer = await server.request('POST', '/api/auth/signup', { body })
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', field], msg: expect.any(String), type }] },
    })
  })

  it('lists all errors at once', async () => {
    const answer = await server.request('POST', '/api/auth/signup', { body: {} })
    const { detail } = answer.body as { detail: { loc: string[] }[] }
    expect(detail.map(({ loc }) => loc[1]).sort()).toEqual(['email', 'password', 'username'])
  })

  it('with the same name twice concurrently creates one account', async () => {
    const attempts = [1, 2].map((number) =>
      server.call(signup, { body: { email: `twin${number}@example.org`, password, username: 'twin' } }),
    )
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 409])
  })

  it('refuses a long text of dots as an address', async () => {
    // A pattern with backtracking would exceed the time limit of the test.
    for (const [length, status] of [
      [100, 422],
      [1000, 422],
      [100_000, 413],
    ] as const) {
      const email = `a@${'a.'.repeat(length)} `
      const answer = await server.request('POST', '/api/auth/signup', { body: { email, password, username: 'dot' } })
      expect(answer.status).toBe(status)
    }
  })
})

describe('signing in', () => {
  it('accepts the address ignoring case, with its password', async () => {
    const answer = await server.call(login, { body: { email: 'Ann@Example.Org', password } })
    expect(answer).toMatchObject({ status: 200, body: { user: { id: ann.id }, token_type: 'bearer' } })
    expect((await server.call(getMe, {}, answer.body.access_token)).body.id).toBe(ann.id)
    const wrong = await server.call(login, { body: { email: ann.email, password: password.toUpperCase() } })
    expect(wrong.status).toBe(401)
  })

  it('returns the same refusal for a wrong password, an unknown address and an account without a password', async () => {
    await server.signUp('ida')
    await server.db`update users set password_hash = null where username = 'ida'`
    const expected = { status: 401, body: { detail: 'Invalid email or password', code: 'invalid_credentials' } }
    for (const email of [ann.email, 'nobody@example.org', 'ida@example.org', 'not an address']) {
      expect(await server.call(login, { body: { email, password: 'wrong password' } })).toMatchObject(expected)
    }
    expect(await server.call(login, { body: { email: 'ida@example.org', password: '' } })).toMatchObject(expected)
    expect(await server.call(login, { body: { email: 'ida@example.org', password } })).toMatchObject(expected)
  })

  it('compares the password with a hash of the same cost for an unknown address too', async () => {
    setPasswordCost(owaspCost)
    onTestFinished(() => setPasswordCost(testPasswordCost))
    const { email } = await server.signUp('olga')
    // The threads that hash receive every password with the hash to compare it with.
    const jobs = vi.spyOn(Worker.prototype, 'postMessage')
    onTestFinished(() => jobs.mockRestore())
    const comparedWith = async (address: string) => {
      jobs.mockClear()
      await server.call(login, { body: { email: address, password: 'wrong password' } })
      return jobs.mock.calls.map(([job]) => (job as PasswordJob).passwordHash)
    }
    // The first such call also creates the hash that stands for those that do not exist.
    await comparedWith('nobody@example.org')
    const owasp = expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await comparedWith(email)).toEqual([owasp])
    expect(await comparedWith('nobody@example.org')).toEqual([owasp])
  })

  it('with an identity provider is refused if none is configured', async () => {
    const answer = await server.request('POST', '/api/auth/google', { body: { id_token: 'x' } })
    expect(answer).toMatchObject({
      status: 501,
      body: { detail: 'Google sign-in is not configured', code: 'google_not_configured' },
    })
  })
})
