import { getConfig } from '@hither/contract/config.ts'
import { type FaultCode, faults } from '@hither/contract/faults.ts'
import { refusals } from '@hither/contract/refusals.ts'
import { exportAccount, getMe, getUser } from '@hither/contract/users.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'

let server: TestServer
let ann: Person
let bob: Person

beforeAll(async () => {
  server = await startServer()
  ;[ann, bob] = [await server.signUp('ann'), await server.signUp('bob')]
  await server.befriend(ann, bob)
})

afterAll(() => server.close())

const choose = (locale: unknown) => server.request('PATCH', `/api/users/${ann.id}`, { body: { locale }, as: ann })

describe('the language of an account', () => {
  it('is chosen, read by its owner only, exported, and automatic again with null', async () => {
    expect(await choose('de')).toMatchObject({ status: 200, body: { locale: 'de' } })
    expect((await server.call(getMe, {}, ann)).body.locale).toBe('de')
    expect((await server.call(exportAccount, {}, ann)).body).toMatchObject({
      account: { locale: 'de' },
      sessions: [{ locale: null }],
    })
    expect((await server.call(getUser, { params: { id: ann.id } }, bob)).body).not.toHaveProperty('locale')
    expect(await choose(null)).toMatchObject({ status: 200, body: { locale: null } })
  })

  it.each(['xx', 'en-XA', '../de', 'DE', '', 'x'.repeat(10_000)])('is refused if it is not listed', async (locale) => {
    const [fault] = ((await choose(locale)).body as { detail: unknown[] }).detail
    expect(fault).toMatchObject({ loc: ['body', 'locale'], msg: faults.locale_unknown, code: 'locale_unknown' })
  })

  it.each([5, ['de'], {}])('is refused if it has the wrong form', async (locale) => {
    expect(await choose(locale)).toMatchObject({ status: 422, body: { code: 'invalid_input' } })
  })

  it('of a version that is not known is kept and counts as automatic', async () => {
    await server.db`update users set locale = 'pt-BR' where id = ${ann.id}`
    expect((await server.call(getMe, {}, ann)).body.locale).toBe('pt-BR')
    await choose(null)
  })
})

it('the session remembers the language of its sign-in and of its last refresh', async () => {
  const localeOf = async (token: string) => {
    const id = JSON.parse(String(Buffer.from(token.split('.')[1] ?? '', 'base64url'))).sid
    return (await server.db<{ locale: string | null }[]>`select locale from sessions where id = ${id}`)[0]?.locale
  }
  const body = { email: ann.email, password: 'correct horse battery' }
  const signedIn = await server.request('POST', '/api/auth/login', {
    body,
    headers: { 'accept-language': 'fr-CA,en;q=0.5' },
  })
  const session = signedIn.body as { access_token: string; refresh_token: string }
  expect(await localeOf(session.access_token)).toBe('fr')
  await server.request('POST', '/api/auth/refresh', {
    body: { refresh_token: session.refresh_token },
    headers: { 'accept-language': 'es' },
  })
  expect(await localeOf(session.access_token)).toBe('es')
})

it('the configuration lists the languages, without pseudo-languages', async () => {
  const { body } = await server.call(getConfig, {})
  expect(body.default_locale).toBe('en')
  expect(body.locales?.map(({ tag, dir }) => `${tag} ${dir}`)).toEqual([
    'ar rtl',
    'de ltr',
    'en ltr',
    'es ltr',
    'fr ltr',
  ])
})

it('a refusal and an invalid field are answered with their codes, and their sentences stay English', async () => {
  const headers = { 'accept-language': 'de' }
  const { status, detail } = refusals.user_not_found
  const unknown = await server.request('GET', `/api/users/${crypto.randomUUID()}`, { as: ann, headers })
  expect([unknown.status, unknown.body]).toEqual([status, { detail, code: 'user_not_found' }])
  const long = await server.request('PATCH', `/api/users/${ann.id}`, {
    body: { username: 'x'.repeat(31) },
    as: ann,
    headers,
  })
  const fault = {
    loc: ['body', 'username'],
    msg: 'Must be at most 30 characters',
    type: 'maxLength',
    code: 'too_long',
    params: { limit: 30 },
  }
  expect([long.status, long.body]).toEqual([422, { detail: [fault], code: 'invalid_input' }])
})

it('no code stands for a refusal and a field', () => {
  expect(Object.keys(refusals).filter((code) => code in faults)).toEqual([] satisfies FaultCode[])
})
