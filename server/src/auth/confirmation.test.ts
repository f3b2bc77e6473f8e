import {
  type AuthSession,
  confirm,
  getPendingConfirmation,
  login,
  resendConfirmation,
  signup,
} from '@hither/contract/auth/auth.ts'
import { getConfig } from '@hither/contract/config.ts'
import { getMe, lookupUser } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { password, startServer, type TestServer } from '../../test/harness.ts'
import { type Mailbox, openMailbox } from '../../test/mailbox.ts'

let server: TestServer
let mailbox: Mailbox
let number = 0
/** A new user for each test. */
let ann: { email: string; password: string; username: string }

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ SMTP_URL: mailbox.url, PUBLIC_URL: 'https://hither.example.org' })
})

beforeEach(async () => {
  // Mails queued by an earlier test would be sent with the first mail of this one, in any order.
  await server.db`delete from deliveries`
  number++
  ann = { email: `Ann${number}@example.org`, password, username: `ann${number}` }
})

afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const hourMs = 3_600_000
const invalid = {
  status: 400,
  body: { detail: 'Confirmation link is invalid or has expired', code: 'confirmation_invalid' },
}
const unconfirmed = {
  status: 403,
  body: { detail: 'Please confirm your email address before signing in', code: 'email_unconfirmed' },
}
const wrong = { status: 401, body: { detail: 'Invalid email or password', code: 'invalid_credentials' } }

function signUp(body = ann) {
  return server.call(signup, { body })
}

function signIn(body = ann) {
  return server.call(login, { body: { email: body.email, password: body.password } })
}

/** Confirms with the password that every user here signs up with, unless another proof is given. */
function confirmWith(token: string, proof: { password?: string; signup_secret?: string } = { password }) {
  return server.call(confirm, { body: { token, ...proof } })
}

/** Returns the mails that were sent during the call. */
async function mailsOf(work: () => Promise<unknown>) {
  const before = mailbox.received.length
  await work()
  await server.app.deliveryJobs.runDue()
  return mailbox.received.slice(before)
}

/** Signs up and returns the token of the mail. */
async function tokenFor(body = ann) {
  await mailsOf(() => signUp(body))
  return mailbox.token()
}

describe('a server that confirms addresses', () => {
  it('reports that in the configuration', async () => {
    const { features } = (await server.call(getConfig, {})).body
    expect(features).toMatchObject({ confirm_email: true, password_reset: true })
  })

  it('answers a sign-up without a session and sends a link', async () => {
    const mails = await mailsOf(async () => {
      const answer = await signUp()
      expect(answer.status).toBe(201)
      expect(answer.body).toEqual({
        requires_confirmation: true,
        email: ann.email,
        message: expect.any(String),
        signup_secret: expect.stringMatching(/^[\w-]{43}$/),
      })
    })
    expect(mails).toHaveLength(1)
    const [mail] = mails
    expect(mail?.to).toEqual([ann.email])
    expect(mail?.link.href).toMatch(/^https:\/\/hither\.example\.org\/confirm#token=[\w-]{43}$/)
    expect(mail?.html).toContain(`href="${mail?.link.href}"`)
    expect(mail?.html).not.toMatch(/<img|<link|<script|src=|url\(/)
    expect(mail?.text).not.toContain(ann.username)
    expect(mail?.headers).toMatchObject({
      from: 'Hither <no-reply@hither.example.org>',
      'message-id': expect.stringMatching(/^<[0-9a-f-]{36}@hither\.example\.org>$/),
      'auto-submitted': 'auto-generated',
    })
    expect(Math.abs(Date.parse(mail?.headers['date'] ?? '') - server.clock.now().getTime())).toBeLessThan(1000)
    expect(Object.keys(mail?.headers ?? {}).filter((name) => name.startsWith('list-'))).toEqual([])
  })

  it('stores the token and the queued mail in no form that a copy of the database reveals', async () => {
    const token = await tokenFor()
    const rows = await server.db`select encode(token_hash, 'hex') as hash from mail_tokens`
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
    expect(await server.db`select 1 from deliveries`).toHaveLength(0)
  })

  it('creates the account and signs it in with the link, once', async () => {
    const token = await tokenFor()
    const answer = await confirmWith(token)
    expect(answer.status).toBe(200)
    const { user, access_token } = answer.body
    expect(user).toMatchObject({ email: ann.email, username: ann.username })
    expect(user.email_confirmed_at).toBe(server.clock.now().toISOString())
    expect((await server.call(getMe, {}, access_token)).body).toEqual(user)
    expect((await signIn()).status).toBe(200)
    expect(await confirmWith(token)).toMatchObject(invalid)
  })

  it('creates one account for two concurrent uses of a link', async () => {
    const token = await tokenFor()
    const statuses = (await Promise.all([confirmWith(token), confirmWith(token)])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 400])
  })

  it('accepts the link for 24 hours', async () => {
    const late = await tokenFor()
    server.clock.advance(24 * hourMs)
    expect(await confirmWith(late)).toMatchObject(invalid)
    const inTime = await tokenFor()
    server.clock.advance(24 * hourMs - 1)
    expect((await confirmWith(inTime)).status).toBe(200)
  })

  it('accepts only its own tokens, and none that were mailed for another purpose', async () => {
    for (const token of ['x', 'a'.repeat(43), 'null', '../', '%00'])
      expect(await confirmWith(token)).toMatchObject(invalid)
    await confirmWith(await tokenFor())
    const forgotten = { path: '/api/auth/forgot-password', body: { email: ann.email } }
    await mailsOf(() => server.request('POST', forgotten.path, { body: forgotten.body }))
    expect(mailbox.received.at(-1)?.link.pathname).toBe('/reset-password')
    expect(await confirmWith(mailbox.token())).toMatchObject(invalid)
  })

  it('signs nobody in before the confirmation, and gives the reason only with the right password', async () => {
    await signUp()
    expect(await signIn()).toMatchObject(unconfirmed)
    expect(await signIn({ ...ann, email: ann.email.toUpperCase() })).toMatchObject(unconfirmed)
    expect(await signIn({ ...ann, password: 'wrong password' })).toMatchObject(wrong)
  })

  it('shows no user who has not confirmed', async () => {
    const { body } = await confirmWith(await tokenFor())
    await signUp({ ...ann, email: 'gus@example.org', username: 'gus' })
    expect((await server.call(lookupUser, { body: { username: 'gus' } }, body.access_token)).status).toBe(404)
  })

  it('sends the link again, and both links work', async () => {
    const first = await tokenFor()
    server.clock.advance(23 * hourMs)
    await mailsOf(() => server.call(resendConfirmation, { body: { email: ann.email.toLowerCase() } }))
    const second = mailbox.token()
    expect(second).not.toBe(first)
    server.clock.advance(23 * hourMs)
    expect((await confirmWith(second)).status).toBe(200)
    expect(await confirmWith(first)).toMatchObject(invalid)
  })

  it('asks an account from before confirmations were enabled for a confirmation too', async () => {
    const { body } = await confirmWith(await tokenFor())
    await server.db`update users set email_confirmed_at = null where id = ${body.user.id}`
    expect(await signIn()).toMatchObject(unconfirmed)
    await mailsOf(() => server.call(resendConfirmation, { body: { email: ann.email } }))
    expect((await confirmWith(mailbox.token())).body.user.id).toBe(body.user.id)
    expect((await signIn()).status).toBe(200)
  })

  it('replaces a name that was taken meanwhile with a similar one', async () => {
    const token = await tokenFor()
    const other = { ...ann, email: `other${number}@example.org`, username: `other${number}` }
    const { body } = await confirmWith(await tokenFor(other))
    await server.db`
      update users set username = ${ann.username.toUpperCase()}, username_key = ${ann.username} where id = ${body.user.id}`
    expect((await confirmWith(token)).body.user.username).toBe(`${ann.username}2`)
  })

  it('refuses a name of an account, or of a sign-up with another address', async () => {
    const taken = { status: 409, body: { detail: 'Username already taken', code: 'username_taken' } }
    const token = await tokenFor()
    const other = { ...ann, email: 'another@example.org', username: ann.username.toUpperCase() }
    expect(await signUp(other)).toMatchObject(taken)
    await confirmWith(token)
    expect(await signUp(other)).toMatchObject(taken)
    expect(await signUp(ann)).toMatchObject(taken)
  })

  it('frees a name after a day without a confirmation', async () => {
    await signUp()
    server.clock.advance(24 * hourMs)
    expect((await signUp({ ...ann, email: 'later@example.org' })).status).toBe(201)
  })

  it('gives a name to one of two concurrent sign-ups', async () => {
    const attempts = ['x', 'y'].map((name) => signUp({ ...ann, email: `${name}${number}@example.org` }))
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([201, 409])
  })
})

describe('a confirmation link', () => {
  const unproven = {
    status: 403,
    body: { detail: 'Please enter the password you signed up with', code: 'signup_unproven' },
  }
  /** A stranger who signs up with ann's address after her. */
  let stranger: typeof ann

  beforeEach(() => {
    stranger = { email: ann.email.toLowerCase(), password: 'chosen by a stranger', username: `stranger${number}` }
  })

  function pendingOf(token: string, signup_secret?: string) {
    return server.call(getPendingConfirmation, {
      body: { token, ...(signup_secret !== undefined && { signup_secret }) },
    })
  }

  async function secretOf(person: typeof ann) {
    const { body } = await signUp(person)
    // Two mails of one run arrive in any order.
    await server.app.deliveryJobs.runDue()
    return 'signup_secret' in body ? body.signup_secret : ''
  }

  it('creates no account for a stranger who signed up later with the same address, whichever link its owner opens', async () => {
    const own = await tokenFor()
    const strangers = await tokenFor(stranger)
    // The owner of the mailbox opens the newer mail.
    expect(await confirmWith(strangers, {})).toMatchObject(unproven)
    expect(await confirmWith(strangers)).toMatchObject(unproven)
    expect(await signIn(stranger)).toMatchObject({ status: 403 })
    expect((await confirmWith(own)).body.user.username).toBe(ann.username)
    expect(await signIn(stranger)).toMatchObject(wrong)
    expect(await confirmWith(strangers, { password: stranger.password })).toMatchObject(invalid)
  })

  it('of a stranger leads to the account of the browser that signed up, and names it', async () => {
    const secret = await secretOf(ann)
    const strangers = await tokenFor(stranger)
    const named = { email: stranger.email, username: stranger.username, needs_password: true }
    expect(await pendingOf(strangers)).toMatchObject({ status: 200, body: named })
    expect(await pendingOf(strangers, 'x'.repeat(43))).toMatchObject({ status: 200, body: named })
    expect((await pendingOf(strangers, secret)).body).toEqual({
      email: ann.email,
      username: ann.username,
      needs_password: false,
    })
    expect((await confirmWith(strangers, { signup_secret: secret })).body.user.username).toBe(ann.username)
    expect(await signIn(stranger)).toMatchObject(wrong)
    expect((await signIn()).status).toBe(200)
  })

  it('works with the secret of its sign-up without a password', async () => {
    const secret = await secretOf(ann)
    const answer = await confirmWith(mailbox.token(), { signup_secret: secret })
    expect(answer).toMatchObject({ status: 200, body: { user: { username: ann.username } } })
  })

  it('does not work with the secret of a sign-up with another address', async () => {
    const token = await tokenFor()
    const other = await secretOf({ ...ann, email: `other${number}@example.org`, username: `other${number}` })
    for (const signup_secret of [other, 'x'.repeat(43)]) {
      expect(await confirmWith(token, { signup_secret })).toMatchObject(unproven)
    }
    expect((await confirmWith(token)).status).toBe(200)
  })

  it('stays valid after an attempt without proof, and becomes invalid after five wrong passwords', async () => {
    const token = await tokenFor()
    for (let round = 0; round < 6; round++) expect(await confirmWith(token, {})).toMatchObject(unproven)
    for (let round = 0; round < 4; round++) {
      expect(await confirmWith(token, { password: 'wrong password' })).toMatchObject(unproven)
    }
    const second = await tokenFor()
    expect((await confirmWith(token)).status).toBe(200)

    const other = { ...ann, email: `five${number}@example.org`, username: `five${number}` }
    const guessed = await tokenFor(other)
    // Concurrent attempts: each is counted before its password is compared.
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => confirmWith(guessed, { password: 'wrong password' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([400, 400, 400, 403, 403, 403, 403, 403])
    expect(await confirmWith(guessed)).toMatchObject(invalid)
    expect(await pendingOf(guessed)).toMatchObject(invalid)
    expect(await confirmWith(second)).toMatchObject(invalid)
  })

  it('needs the password of an account that was created before confirmations were enabled', async () => {
    const { body } = await confirmWith(await tokenFor())
    await server.db`update users set email_confirmed_at = null where id = ${body.user.id}`
    await mailsOf(() => server.call(resendConfirmation, { body: { email: ann.email } }))
    const token = mailbox.token()
    expect((await pendingOf(token)).body).toEqual({ email: ann.email, username: ann.username, needs_password: true })
    expect(await confirmWith(token, {})).toMatchObject(unproven)
    expect(await confirmWith(token, { password: 'wrong password' })).toMatchObject(unproven)
    expect(await signIn()).toMatchObject(unconfirmed)
    expect((await confirmWith(token)).body.user.id).toBe(body.user.id)
  })

  it('can be looked up without being used, and an invented one cannot', async () => {
    const token = await tokenFor()
    const named = { email: ann.email, username: ann.username, needs_password: true }
    for (let round = 0; round < 3; round++) expect((await pendingOf(token)).body).toEqual(named)
    for (const made of ['x', 'a'.repeat(43)]) expect(await pendingOf(made)).toMatchObject(invalid)
    expect((await confirmWith(token)).status).toBe(200)
    expect(await pendingOf(token)).toMatchObject(invalid)
  })

  it('has no secret in the database that is enough to sign up', async () => {
    const secret = await secretOf(ann)
    const rows = JSON.stringify(await server.db`select encode(secret_hash, 'hex') as hash, s.* from signups s`)
    expect(rows).not.toContain(secret)
    expect(rows).not.toContain(Buffer.from(secret, 'base64url').toString('hex'))
  })
})

describe('an address that has an account', () => {
  let owner: AuthSession
  /** A stranger's sign-up with the owner's address, and the same with an unknown address. */
  let known: typeof ann
  let unknown: typeof ann

  beforeEach(async () => {
    owner = (await confirmWith(await tokenFor())).body
    known = { email: ann.email.toLowerCase(), password: 'a guess of mine', username: `probe.${number}` }
    unknown = { ...known, email: `nobody${number}@example.org`, username: `probe-${number}` }
  })

  it('gets the same answer to a sign-up as an unknown address', async () => {
    const answers = [await signUp(known), await signUp(unknown)]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    const expected = { ...answers[0]?.body, email: null, signup_secret: expect.stringMatching(/^[\w-]{43}$/) }
    expect(answers.map(({ body }) => ({ ...body, email: null }))).toEqual([expected, expected])
    expect(answers[0]?.headers.get('content-type')).toBe(answers[1]?.headers.get('content-type'))
  })

  it('gets the same answers after a sign-up as an unknown address', async () => {
    await signUp(known)
    await signUp(unknown)
    for (const attempt of [known, unknown]) {
      expect(await signIn(attempt)).toMatchObject(unconfirmed)
      expect((await signUp({ ...attempt, email: 'third@example.org' })).status).toBe(409)
      const seen = await server.call(lookupUser, { body: { username: attempt.username } }, owner.access_token)
      expect(seen.status).toBe(404)
    }
    expect((await signIn()).status).toBe(200)
  })

  it('gets the same answer and the same writes for a repeated mail as an unknown address', async () => {
    const rows = async (email: string) => {
      const answer = await server.call(resendConfirmation, { body: { email } })
      const [{ count } = { count: 0 }] = await server.db<{ count: number }[]>`select count(*)::int from deliveries`
      return { status: answer.status, body: answer.body, count }
    }
    await server.app.deliveryJobs.runDue()
    const first = await rows(known.email)
    expect(first).toMatchObject({ status: 200, count: 1 })
    expect(await rows(unknown.email)).toEqual({ ...first, count: 2 })
    expect(await mailsOf(async () => undefined)).toEqual([])
  })

  it('gets a mail about the existing account, without a token', async () => {
    const mails = await mailsOf(() => signUp(known))
    expect(mails).toHaveLength(1)
    expect(mails[0]?.to).toEqual([ann.email])
    expect(mails[0]?.text).toContain('You already have an account')
    expect(mails[0]?.link.href).toBe('https://hither.example.org/login')
    expect(mails[0]?.text + (mails[0]?.html ?? '')).not.toMatch(/token=|probe/)
    const [row] = await server.db`select count(*)::int from users where lower(email) = ${known.email}`
    expect(row).toEqual({ count: 1 })
  })

  it('makes earlier links of a stranger invalid', async () => {
    const email = `free${number}@example.org`
    const strangers = await tokenFor({ ...known, email })
    const own = await tokenFor({ ...ann, email, username: `own${number}` })
    expect((await confirmWith(own)).body.user.username).toBe(`own${number}`)
    expect(await confirmWith(strangers, { password: known.password })).toMatchObject(invalid)
    expect((await signIn({ ...known, email })).status).toBe(401)
  })
})

it('a server with confirmations disabled signs up at once although it can send mail', async () => {
  const trusting = await startServer({ SMTP_URL: mailbox.url, CONFIRM_EMAIL: 'off' })
  const person = await trusting.signUp('ann')
  expect(person.session.user.email_confirmed_at).toBeNull()
  expect((await trusting.call(login, { body: { email: person.email, password } })).status).toBe(200)
  await trusting.close()
})
