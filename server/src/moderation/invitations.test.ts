import { confirm, google, signup } from '@hither/contract/auth/auth.ts'
import { getConfig } from '@hither/contract/config.ts'
import {
  createInvitation,
  listInvitations,
  type NewInvitation,
  type RegistrationMode,
  revokeInvitation,
  setRegistration,
} from '@hither/contract/invitations.ts'
import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { openMailbox } from '../../test/mailbox.ts'
import { makeAdmin } from './harness.ts'

const clientId = 'hither.apps.example.org'
let provider: OAuth2Server
let server: TestServer
let admin: Person
let number = 0

beforeAll(async () => {
  provider = new OAuth2Server()
  await provider.issuer.keys.generate('RS256')
  await provider.start(0, 'localhost')
  server = await startServer({
    GOOGLE_CLIENT_ID: clientId,
    GOOGLE_ISSUER: provider.issuer.url ?? '',
    PUBLIC_URL: 'https://hither.example.org',
  })
  admin = await makeAdmin(server, await server.signUp('root'))
})

beforeEach(() => {
  number++
})

afterEach(() => setMode('open'))

afterAll(async () => {
  await server.close()
  await provider.stop()
})

const closed = {
  status: 403,
  body: { detail: "This server isn't accepting new accounts right now.", code: 'registration_closed' },
}
const needed = {
  status: 403,
  body: { detail: 'You need an invitation link to sign up here.', code: 'invitation_required' },
}
const invalid = {
  status: 403,
  body: { detail: 'This invitation link is no longer valid. Please ask for a new one.', code: 'invitation_invalid' },
}
const dayMs = 86_400_000

async function setMode(mode: RegistrationMode, on = server, by = admin) {
  expect((await on.call(setRegistration, { body: { mode } }, by)).status).toBe(204)
}

async function invite(body: NewInvitation = {}, on = server, by = admin) {
  const answer = await on.call(createInvitation, { body }, by)
  expect(answer.status).toBe(201)
  return { ...answer.body, code: answer.body.url.split('#').at(-1) ?? '' }
}

function signUp(invitation?: string, username = `new${number}-${Math.random().toString(36).slice(2, 8)}`) {
  const body = { email: `${username}@example.org`, password, username, ...(invitation !== undefined && { invitation }) }
  return server.call(signup, { body })
}

async function signInWithGoogle(email: string, invitation?: string) {
  const id_token = await provider.issuer.buildToken({
    expiresIn: 3600,
    scopesOrTransform: (_header, payload) =>
      void Object.assign(payload, { sub: email, aud: clientId, email, email_verified: true, name: 'Gus' }),
  })
  return server.call(google, { body: { id_token, ...(invitation !== undefined && { invitation }) } })
}

describe('a server with closed registration', () => {
  it('refuses sign-ups, and says so before a user fills in a form', async () => {
    const { code } = await invite()
    expect((await server.call(getConfig, {})).body.registration).toBe('open')
    await setMode('closed')
    expect((await server.call(getConfig, {})).body.registration).toBe('closed')
    expect(await signUp()).toMatchObject(closed)
    expect(await signUp(code)).toMatchObject(closed)
    expect(await signInWithGoogle(`gus${number}@example.org`, code)).toMatchObject(closed)
  })

  it('does not reveal which names are taken', async () => {
    await setMode('closed')
    expect(await signUp(undefined, admin.username)).toMatchObject(closed)
  })

  it('still signs in existing accounts', async () => {
    const gus = `gus${number}@example.org`
    expect((await signInWithGoogle(gus)).status).toBe(201)
    await setMode('closed')
    expect((await signInWithGoogle(gus)).status).toBe(200)
    expect((await server.signIn(admin)).session.user.id).toBe(admin.id)
  })
})

describe('a server with invitations', () => {
  beforeEach(() => setMode('invite'))

  it('accepts sign-ups with a link until its uses are taken', async () => {
    expect(await signUp()).toMatchObject(needed)
    expect(await signUp('made-up')).toMatchObject(invalid)
    const { code, url, id } = await invite({ uses: 2 })
    expect(url).toBe(`https://hither.example.org/invite/#${code}`)
    expect([(await signUp(code)).status, (await signUp(code)).status]).toEqual([201, 201])
    expect(await signUp(code)).toMatchObject(invalid)
    const { body } = await server.call(listInvitations, {}, admin)
    expect(body.find((one) => one.id === id)).toMatchObject({ uses_max: 2, uses_left: 0 })
  })

  it('takes no use of a link for an account that was not created', async () => {
    const { code } = await invite()
    expect((await signUp(code, admin.username)).status).toBe(409)
    expect((await signUp(code)).status).toBe(201)
  })

  it('accepts one of two concurrent sign-ups with the last use', async () => {
    const { code } = await invite()
    const statuses = (await Promise.all([signUp(code), signUp(code), signUp(code)])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 403, 403])
  })

  it('accepts a link with an identity provider too', async () => {
    const gus = `gus${number}@example.org`
    expect(await signInWithGoogle(gus)).toMatchObject(needed)
    const { code } = await invite()
    expect((await signInWithGoogle(gus, code)).status).toBe(201)
    expect((await signInWithGoogle(gus)).status).toBe(200)
    expect(await signInWithGoogle(`other-${gus}`, code)).toMatchObject(invalid)
  })

  it('refuses expired and revoked links', async () => {
    const old = await invite({ days: 1 })
    const revoked = await invite()
    expect((await server.call(revokeInvitation, { params: { id: revoked.id } }, admin)).status).toBe(204)
    expect((await server.call(revokeInvitation, { params: { id: revoked.id } }, admin)).status).toBe(404)
    expect(await signUp(revoked.code)).toMatchObject(invalid)
    server.clock.advance(dayMs)
    expect(await signUp(old.code)).toMatchObject(invalid)
    admin = await server.signIn(admin)
  })
})

describe('an invitation link', () => {
  it('is returned once, and stored as a digest', async () => {
    const made = await invite({ note: '  For the club ', uses: 5, days: 3 })
    const { code, url: _, ...row } = made
    expect(row).toEqual({
      id: expect.any(String),
      note: 'For the club',
      uses_max: 5,
      uses_left: 5,
      created_by_username: 'root',
      created_at: server.clock.now().toISOString(),
      expires_at: new Date(server.clock.now().getTime() + 3 * dayMs).toISOString(),
    })
    const { body } = await server.call(listInvitations, {}, admin)
    expect(body[0]).toEqual(row)
    expect(JSON.stringify(body)).not.toContain(code)
    expect(JSON.stringify(await server.db`select i::text from invitations i`)).not.toContain(code)
  })

  it('is valid for one user and a week by default, and is deleted long after that', async () => {
    const { id, uses_max, expires_at } = await invite()
    expect([uses_max, Date.parse(expires_at) - server.clock.now().getTime()]).toEqual([1, 7 * dayMs])
    server.clock.advance(37 * dayMs)
    await server.app.moderationJobs.runDue()
    expect(await server.db`select 1 from invitations where id = ${id}`).toHaveLength(0)
    admin = await server.signIn(admin)
  })

  it.each([{ uses: 0 }, { uses: 1001 }, { uses: '2' }, { days: 0 }, { days: 91 }, { note: 'x'.repeat(101) }])(
    'is refused with %j',
    async (body) => {
      expect((await server.request('POST', '/api/admin/invitations', { body, as: admin })).status).toBe(422)
    },
  )

  it('cannot be chosen by the admin', async () => {
    const body = {
      code: 'mine',
      code_hash: 'mine',
      uses_left: 999,
      created_by: 'x',
      expires_at: '2099-01-01T00:00:00Z',
    }
    const answer = await server.request('POST', '/api/admin/invitations', { body, as: admin })
    expect(answer).toMatchObject({ status: 201, body: { uses_left: 1 } })
    expect((answer.body as { url: string }).url).not.toContain('mine')
  })
})

describe('a server with invitations that confirms addresses', () => {
  it('checks the invitation again when the link of the mail is opened', async () => {
    const mailbox = await openMailbox()
    const strict = await startServer({ SMTP_URL: mailbox.url, CONFIRM_EMAIL: 'on' })
    try {
      const ask = (name: string, invitation?: string) =>
        strict.call(signup, {
          body: { email: `${name}@example.org`, password, username: name, ...(invitation && { invitation }) },
        })
      const finish = async () => strict.call(confirm, { body: { token: await mailbox.token(), password } })
      await ask('root')
      await strict.app.deliveryJobs.runDue()
      const session = (await finish()).body
      const root = await makeAdmin(strict, {
        id: session.user.id,
        username: 'root',
        email: 'root@example.org',
        session,
      })
      await setMode('invite', strict, root)
      expect(await ask('ann')).toMatchObject(needed)
      expect(await ask('ann', 'made-up')).toMatchObject(invalid)
      const { code } = await invite({}, strict, root)

      // Two users ask with the last use; the first one to open the link of the mail gets it.
      const tokens: string[] = []
      for (const name of ['ann', 'bob']) {
        expect((await ask(name, code)).status).toBe(201)
        await strict.app.deliveryJobs.runDue()
        tokens.push(await mailbox.token())
      }
      const [anns = '', bobs = ''] = tokens
      expect((await strict.call(confirm, { body: { token: bobs, password } })).status).toBe(200)
      expect(await strict.call(confirm, { body: { token: anns, password } })).toMatchObject(invalid)
      await setMode('closed', strict, root)
      expect(await strict.call(confirm, { body: { token: anns, password } })).toMatchObject(closed)
      await setMode('open', strict, root)
      expect((await strict.call(confirm, { body: { token: anns, password } })).status).toBe(200)
    } finally {
      await strict.close()
      await mailbox.close()
    }
  })
})
