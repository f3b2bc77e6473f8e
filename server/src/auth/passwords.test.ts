import {
  changePassword,
  forgotPassword,
  getSignInMethods,
  login,
  refresh,
  resetPassword,
  signup,
} from '@hither/contract/auth/auth.ts'
import { getMe } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { type Mailbox, openMailbox } from '../../test/mailbox.ts'
import { hashPassword } from './password-hashing/passwords.ts'

let server: TestServer
let mailbox: Mailbox
let number = 0
let ann: Person

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ SMTP_URL: mailbox.url, CONFIRM_EMAIL: 'off', PUBLIC_URL: 'https://hither.example.org' })
})

beforeEach(async () => {
  number++
  ann = await server.signUp(`ann${number}`)
})

afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const minuteMs = 60_000
const newPassword = 'a new and better one'
const invalid = {
  status: 400,
  body: { detail: 'Password reset link is invalid or has expired', code: 'reset_invalid' },
}
const wrongPassword = { status: 403, body: { detail: 'The password is not correct', code: 'wrong_password' } }
const unsigned = { status: 401, body: { detail: 'Authentication required', code: 'authentication_required' } }

async function statusOfSignIn(secret: string) {
  return (await server.call(login, { body: { email: ann.email, password: secret } })).status
}

async function statusOf(session: Person['session']) {
  const { status } = await server.call(getMe, {}, session.access_token)
  const refreshed = await server.call(refresh, { body: { refresh_token: session.refresh_token } })
  return [status, refreshed.status]
}

async function forget(email = ann.email) {
  const answer = await server.call(forgotPassword, { body: { email } })
  await server.app.deliveryJobs.runDue()
  return answer
}

async function tokenFor() {
  await forget()
  return mailbox.token()
}

function reset(token: string, secret = newPassword) {
  return server.call(resetPassword, { body: { token, password: secret } })
}

describe('a forgotten password', () => {
  it('is replaced with the link of a mail, which ends every session', async () => {
    const other = await server.signIn(ann)
    const before = mailbox.received.length
    await forget(ann.email.toUpperCase())
    const mail = mailbox.received[before]
    expect(mailbox.received).toHaveLength(before + 1)
    expect(mail?.to).toEqual([ann.email])
    expect(mail?.link.href).toMatch(/^https:\/\/hither\.example\.org\/reset-password#token=[\w-]{43}$/)
    expect(mail?.html).toContain(`href="${mail?.link.href}"`)
    expect(mail?.text).not.toContain(ann.username)
    expect(mail?.text).toContain('deletes its content: friends, pins, chats and pictures')
    expect(await reset(mailbox.token())).toMatchObject({ status: 204, body: null })
    expect(await statusOfSignIn(password)).toBe(401)
    expect(await statusOfSignIn(newPassword)).toBe(200)
    for (const { session } of [ann, other]) expect(await statusOf(session)).toEqual([401, 401])
  })

  it('is requested with the same answer and the same rows for known and unknown addresses', async () => {
    const rows = async () => (await server.db`select template, attempts from deliveries`).map((row) => ({ ...row }))
    const known = await server.call(forgotPassword, { body: { email: ann.email } })
    const written = await rows()
    await server.app.deliveryJobs.runDue()
    const before = mailbox.received.length
    const unknown = await server.call(forgotPassword, { body: { email: 'nobody@example.org' } })
    expect(await rows()).toEqual(written)
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
    expect(known).toMatchObject({ status: 200, body: { message: expect.any(String) } })
    await server.app.deliveryJobs.runDue()
    expect(mailbox.received).toHaveLength(before)
    expect(await rows()).toEqual([])
  })

  it('is replaced once per link, also by two concurrent calls', async () => {
    const token = await tokenFor()
    const statuses = (await Promise.all([reset(token), reset(token)])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([204, 400])
    expect(await reset(token)).toMatchObject(invalid)
  })

  it('is replaced within an hour', async () => {
    const late = await tokenFor()
    server.clock.advance(60 * minuteMs)
    expect(await reset(late)).toMatchObject(invalid)
    const inTime = await tokenFor()
    server.clock.advance(60 * minuteMs - 1)
    expect((await reset(inTime)).status).toBe(204)
  })

  it('makes all other links invalid after it is replaced', async () => {
    const [first, second] = [await tokenFor(), await tokenFor()]
    expect((await reset(second)).status).toBe(204)
    expect(await reset(first, 'another one')).toMatchObject(invalid)
    expect(await statusOfSignIn(newPassword)).toBe(200)
  })

  it('confirms the address, since only its owner can have the link', async () => {
    await reset(await tokenFor())
    const { body } = await server.call(login, { body: { email: ann.email, password: newPassword } })
    expect(body.user.email_confirmed_at).toBe(server.clock.now().toISOString())
  })

  it('is not replaced with an invalid token or a too short password', async () => {
    for (const token of ['x', 'a'.repeat(43), ann.session.refresh_token])
      expect(await reset(token)).toMatchObject(invalid)
    const token = await tokenFor()
    expect((await reset(token, '12345')).status).toBe(422)
    await server.db`delete from users where id = ${ann.id}`
    expect(await reset(token)).toMatchObject(invalid)
  })

  it('is not mailed if the server cannot send mail', async () => {
    const silent = await startServer()
    const refused = {
      status: 501,
      body: { detail: "This server can't send email, so passwords can't be reset", code: 'mail_not_configured' },
    }
    expect(await silent.call(forgotPassword, { body: { email: ann.email } })).toMatchObject(refused)
    expect(await silent.call(resetPassword, { body: { token: 'x', password } })).toMatchObject(invalid)
    await silent.close()
  })
})

describe('changing the password', () => {
  function change(body: { current_password?: string; new_password: string }, who: Person = ann) {
    return server.call(changePassword, { body }, who)
  }

  it('ends all other sessions and not this one', async () => {
    const other = await server.signIn(ann)
    const answer = await change({ current_password: password, new_password: newPassword })
    expect(answer).toMatchObject({ status: 204, body: null })
    expect([await statusOfSignIn(password), await statusOfSignIn(newPassword)]).toEqual([401, 200])
    expect(await statusOf(other.session)).toEqual([401, 401])
    expect(await statusOf(ann.session)).toEqual([200, 200])
  })

  it('requires the current password', async () => {
    for (const current of ['wrong password', '', undefined]) {
      const body = { ...(current !== undefined && { current_password: current }), new_password: newPassword }
      expect(await change(body)).toMatchObject(wrongPassword)
    }
    expect(await statusOfSignIn(password)).toBe(200)
  })

  it('makes an earlier mailed link invalid', async () => {
    const token = await tokenFor()
    await change({ current_password: password, new_password: newPassword })
    expect(await reset(token, 'a third one')).toMatchObject(invalid)
  })

  it('sets no first password for a caller who is only signed in', async () => {
    await server.db`update users set password_hash = null where id = ${ann.id}`
    expect((await server.call(getSignInMethods, {}, ann)).body).toMatchObject({ password: false, google: false })
    const refused = {
      status: 403,
      body: { detail: 'Please sign in with Google again to do this', code: 'identity_required' },
    }
    expect(await change({ new_password: newPassword })).toMatchObject(refused)
    expect(await statusOfSignIn(newPassword)).toBe(401)
  })

  it('requires authentication as an existing account', async () => {
    expect(await server.call(changePassword, { body: { new_password: newPassword } })).toMatchObject(unsigned)
    await server.db`delete from users where id = ${ann.id}`
    expect(await change({ current_password: password, new_password: newPassword })).toMatchObject(unsigned)
    expect(await server.call(getSignInMethods, {}, ann)).toMatchObject(unsigned)
  })

  it('succeeds once for two concurrent calls with the same current password', async () => {
    const bodies = ['first new one', 'second new one'].map((secret) => ({
      current_password: password,
      new_password: secret,
    }))
    const statuses = (await Promise.all(bodies.map((body) => change(body)))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([204, 403])
  })
})

describe('a new password', () => {
  const tooCommon = (field: string) => ({
    status: 422,
    body: {
      detail: [
        {
          loc: ['body', field],
          msg: 'This password is too common. Please choose another one.',
          type: 'password_too_common',
        },
      ],
    },
  })

  it.each(['123456', 'password', 'QwertyUiop', 'iloveyou'])(
    'is refused at every endpoint if it is the common %s',
    async (secret) => {
      const account = { email: `common${number}@example.org`, username: `common${number}`, password: secret }
      expect(await server.call(signup, { body: account })).toMatchObject(tooCommon('password'))
      const body = { current_password: password, new_password: secret }
      expect(await server.call(changePassword, { body }, ann)).toMatchObject(tooCommon('new_password'))
      const token = await tokenFor()
      expect(await reset(token, secret)).toMatchObject(tooCommon('password'))
      // The link is still valid.
      expect((await reset(token)).status).toBe(204)
    },
  )

  it('may have six characters', async () => {
    const account = { email: `six${number}@example.org`, username: `six${number}`, password: 'x7-qvz' }
    expect((await server.call(signup, { body: account })).status).toBe(201)
  })

  it('is not checked when a user signs in with an old one', async () => {
    await server.db`update users set password_hash = ${await hashPassword('123456')} where id = ${ann.id}`
    expect(await statusOfSignIn('123456')).toBe(200)
  })
})
