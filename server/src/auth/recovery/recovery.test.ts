import {
  changePassword,
  forgotPassword,
  getSignInMethods,
  listSessions,
  login,
  resetPassword,
} from '@hither/contract/auth/auth.ts'
import { createPasskey, createPasskeyOptions } from '@hither/contract/auth/passkeys.ts'
import { createRecoveryCodes, createResetLink, getRecoveryCodes, recover } from '@hither/contract/auth/recovery.ts'
import { listSecurityEvents, markSecurityEventsSeen } from '@hither/contract/auth/security-events.ts'
import { listAdminActions } from '@hither/contract/moderation.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import { deleteAccount, getMe } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../../test/authenticator.ts'
import { type Person, password, startServer, type TestServer } from '../../../test/harness.ts'
import { openMailbox } from '../../../test/mailbox.ts'
import { makeAdmin } from '../../moderation/harness.ts'

let server: TestServer
let ann: Person
let number = 0

// Without a mail server.
beforeAll(async () => {
  server = await startServer({ PUBLIC_URL: 'https://hither.example.org' })
})
afterAll(() => server.close())

beforeEach(async () => {
  ann = await server.signUp(`ann${++number}`)
})

const newPassword = 'a new and better one'
const wrongCode = { status: 401, body: { detail: 'Email or recovery code is not correct', code: 'recovery_invalid' } }
const invalidToken = {
  status: 400,
  body: { detail: 'Password reset link is invalid or has expired', code: 'reset_invalid' },
}
const again = { status: 403, body: { detail: 'Please sign in again to do this.', code: 'recent_sign_in_required' } }

async function createCodes(who = ann, secret?: string) {
  return server.call(createRecoveryCodes, { body: secret === undefined ? {} : { password: secret } }, who)
}

function use(code: string, email = ann.email) {
  return server.call(recover, { body: { email, code } })
}

function reset(token: string, secret = newPassword) {
  return server.call(resetPassword, { body: { token, password: secret } })
}

async function statusOfSignIn(secret: string, email = ann.email) {
  return (await server.call(login, { body: { email, password: secret } })).status
}

describe('recovery codes', () => {
  it('are eight, each of which leads to a reset token once', async () => {
    const { status, body } = await createCodes()
    expect(status).toBe(201)
    expect(new Set(body.codes).size).toBe(8)
    for (const code of body.codes) expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
    for (const code of body.codes) {
      const { status, body } = await use(code)
      expect({ status, expires_in: body.expires_in }).toEqual({ status: 200, expires_in: 600 })
      expect(await use(code)).toMatchObject(wrongCode)
    }
  })

  it('of the last one lead to a new password', async () => {
    const { body } = await createCodes()
    const tokens = []
    for (const code of body.codes) tokens.push((await use(code)).body.reset_token)
    // No code is left that the new password could end.
    expect((await reset(tokens.at(-1) ?? '')).status).toBe(204)
    expect(await reset(tokens[0] ?? '')).toMatchObject(invalidToken)
    expect(await statusOfSignIn(newPassword)).toBe(200)
  })

  it('may be typed in lower case, without hyphens, with spaces and with similar letters', async () => {
    await createCodes()
    // A code with the digits that letters are confused with.
    const known = '01AB-CD01-1010-XYZW'
    await server.db`
      update recovery_codes set code_hash = sha256('01ABCD011010XYZW')
      where (user_id, code_hash) in (select user_id, code_hash from recovery_codes where user_id = ${ann.id} limit 1)`
    expect(
      (
        await use(
          ` ${known.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replace('1', 'i').replace('1', 'l')} `,
        )
      ).status,
    ).toBe(200)
  })

  it('are counted, and a new set ends the old one', async () => {
    const count = async () => (await server.call(getRecoveryCodes, {}, ann)).body
    expect(await count()).toEqual({ remaining: 0, created_at: null })
    const first = (await createCodes()).body
    await use(first.codes[0] ?? '')
    expect(await count()).toEqual({ remaining: 7, created_at: first.created_at })
    expect((await server.call(getSignInMethods, {}, ann)).body.recovery_codes).toBe(7)
    const second = (await createCodes()).body
    expect(await count()).toEqual({ remaining: 8, created_at: second.created_at })
    expect(await use(first.codes[1] ?? '')).toMatchObject(wrongCode)
    expect((await use(second.codes[0] ?? '')).status).toBe(200)
  })

  it('need a recent sign-in or the password', async () => {
    server.clock.advance(660_000)
    expect(await createCodes()).toMatchObject(again)
    expect((await createCodes(ann, password)).status).toBe(201)
  })

  it('sent 20 times at once: exactly one succeeds', async () => {
    const { body } = await createCodes()
    const all = await Promise.all(Array.from({ length: 20 }, () => use(body.codes[0] ?? '')))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(all.filter(({ status }) => status === 401)).toHaveLength(19)
  })

  it('of two sets at once, the later one counts', async () => {
    const sets = await Promise.all([createCodes(), createCodes()])
    expect(sets.map(({ status }) => status)).toEqual([201, 201])
    const statuses = await Promise.all(sets.map(({ body }) => use(body.codes[0] ?? '')))
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 401])
  })

  it('answer an unknown address, a wrong code and a code of another person alike', async () => {
    const { body } = await createCodes()
    const answers = [
      await use('K7QM-2XPD-9TRA-H4WE'),
      await use('K7QM-2XPD-9TRA-H4WE', 'nobody@example.org'),
      await use(body.codes[0] ?? '', 'nobody@example.org'),
      await use('', ann.email),
    ]
    for (const { status, body } of answers) expect({ status, body }).toEqual(wrongCode)
  })

  it('do not confirm the address', async () => {
    const { body } = await createCodes()
    const { body: recovery } = await use(body.codes[0] ?? '')
    await reset(recovery.reset_token)
    const { body: session } = await server.call(login, { body: { email: ann.email, password: newPassword } })
    expect(session.user.email_confirmed_at).toBeNull()
  })

  it('are refused for a suspended person, and stay usable', async () => {
    const { body } = await createCodes()
    await server.db`
      insert into suspensions (user_id, reason, suspended_at) values (${ann.id}, 'spam', ${server.clock.now()})`
    expect((await use(body.codes[0] ?? '')).status).toBe(403)
    await server.db`delete from suspensions`
    expect((await use(body.codes[0] ?? '')).status).toBe(200)
  })

  it('of a deleted account are those of an unknown one', async () => {
    const { body } = await createCodes()
    await server.call(deleteAccount, { body: { password } }, ann)
    expect(await use(body.codes[0] ?? '')).toMatchObject(wrongCode)
    expect(await server.db`select 1 from recovery_codes where user_id = ${ann.id}`).toHaveLength(0)
  })

  it('can be tried five times an hour for one address', async () => {
    const limited = await startServer({ RATE_LIMITS: 'on' })
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt++)
      statuses.push((await limited.call(recover, { body: { email: 'ann@example.org', code: 'x' } })).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    await limited.close()
  })

  it('that others try in vain do not lock the owner out, and get fewer answers', async () => {
    const limited = await startServer({ RATE_LIMITS: 'on', TRUST_PROXY: 'loopback' })
    const owner = await limited.signUp('owner')
    const { body: codes } = await limited.call(createRecoveryCodes, { body: {} }, owner)
    let address = 0
    const tryCode = (code: string, email = owner.email) => {
      const headers = { 'x-forwarded-for': `203.0.113.${++address}` }
      return limited.request('POST', `/api${splitAddress(recover.address).path}`, { body: { email, code }, headers })
    }
    for (const email of [owner.email, 'nobody@example.org']) {
      const statuses: number[] = []
      for (let attempt = 0; attempt < 22; attempt++)
        statuses.push((await tryCode('K7QM-2XPD-9TRA-H4WE', attempt % 2 ? email : email.toUpperCase())).status)
      expect(statuses).toEqual([...Array(20).fill(401), 429, 429])
    }
    expect((await tryCode(codes.codes[0] ?? '')).status).toBe(200)
    expect((await tryCode(codes.codes[0] ?? '')).status).toBe(429)
    await limited.close()
  })

  it('are stored as hashes only', async () => {
    const { body } = await createCodes()
    const { body: recovery } = await use(body.codes[0] ?? '')
    const rows = JSON.stringify([
      await server.db`select * from recovery_codes`,
      await server.db`select * from mail_tokens`,
    ])
    expect(rows).not.toContain(recovery.reset_token)
    expect(rows).not.toContain(body.codes[1]?.replaceAll('-', ''))
  })

  it('give a reset token of ten minutes', async () => {
    const { body } = await createCodes()
    const { body: recovery } = await use(body.codes[0] ?? '')
    server.clock.advance(600_000)
    expect(await reset(recovery.reset_token)).toMatchObject(invalidToken)
  })
})

describe('a new password ends what somebody who knew the old one prepared:', () => {
  const endedCodes = ({ status, headers }: { status: number; headers: Headers }) => [
    status,
    headers.get('recovery-codes-deleted'),
  ]

  /** Everything that could lead into the account of ann later. */
  async function prepare() {
    const intruder = await server.signIn(ann)
    const { body: codes } = await createCodes(intruder)
    const { body: recovery } = await use(codes.codes[0] ?? '')
    const passkey = await server.call(createPasskeyOptions, { body: {} }, intruder)
    const link = await server.app.createOperatorLink(ann.email)
    const linkToken = new URLSearchParams(new URL(link?.url ?? '').hash.slice(1)).get('token') ?? ''
    const device_secret = 'd'.repeat(40)
    await server.call(login, { body: { email: ann.email, password, device_secret } })
    return { intruder, codes: codes.codes, tokens: [recovery.reset_token, linkToken], passkey: passkey.body }
  }

  async function expectEnded({ intruder, codes, tokens, passkey }: Awaited<ReturnType<typeof prepare>>) {
    for (const code of codes) expect(await use(code)).toMatchObject(wrongCode)
    for (const token of tokens) expect(await reset(token)).toMatchObject(invalidToken)
    expect((await server.call(getMe, {}, intruder)).status).toBe(401)
    expect(await server.db`select 1 from known_devices where user_id = ${ann.id}`).toEqual([])
    const { body } = await server.call(login, { body: { email: ann.email, password: newPassword } })
    const owner = { ...ann, session: body }
    const response = createAuthenticator('https://hither.example.org').create(passkey)
    expect((await server.call(createPasskey, { body: { response } }, owner)).status).toBe(401)
    expect((await server.call(getRecoveryCodes, {}, owner)).body).toEqual({ remaining: 0, created_at: null })
  }

  it('a changed one', async () => {
    const prepared = await prepare()
    const body = { current_password: password, new_password: newPassword }
    expect(endedCodes(await server.call(changePassword, { body }, ann))).toEqual([204, '7'])
    await expectEnded(prepared)
  })

  it('one with a recovery code', async () => {
    const prepared = await prepare()
    const { body: recovery } = await use(prepared.codes[1] ?? '')
    expect(endedCodes(await reset(recovery.reset_token))).toEqual([204, '6'])
    await expectEnded(prepared)
  })

  it('one with a link', async () => {
    const prepared = await prepare()
    expect(endedCodes(await reset(prepared.tokens[1] ?? ''))).toEqual([204, '7'])
    await expectEnded(prepared)
  })

  it('but not the codes that are made after it', async () => {
    const body = { current_password: password, new_password: newPassword }
    expect(endedCodes(await server.call(changePassword, { body }, ann))).toEqual([204, '0'])
    const { body: codes } = await createCodes()
    expect((await use(codes.codes[0] ?? '')).status).toBe(200)
  })

  it('a code that is used at the same moment leads to no second password', async () => {
    const { codes } = await prepare()
    const body = { current_password: password, new_password: newPassword }
    const [changed, ...used] = await Promise.all([
      server.call(changePassword, { body }, ann),
      ...codes.slice(1).map((code) => use(code)),
    ])
    expect(changed.status).toBe(204)
    for (const { status, body } of used) {
      if (status === 200) expect(await reset(body.reset_token)).toMatchObject(invalidToken)
      else expect(status).toBe(401)
    }
  })
})

describe('a reset link of an admin', () => {
  let admin: Person
  beforeAll(async () => {
    admin = await makeAdmin(server, await server.signUp('admin'))
  })
  beforeEach(async () => {
    admin = await server.signIn(admin)
  })

  async function createLink(who = ann, by = admin) {
    return server.call(createResetLink, { params: { id: who.id } }, by)
  }

  function tokenIn(url: string) {
    return new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? ''
  }

  it('sets a new password once, ends every session and confirms nothing', async () => {
    const { status, body } = await createLink()
    expect(status).toBe(201)
    expect(body.url).toMatch(/^https:\/\/hither\.example\.org\/reset-password#token=[\w-]{43}$/)
    expect(Date.parse(body.expires_at) - server.clock.now().getTime()).toBe(24 * 3_600_000)
    expect((await reset(tokenIn(body.url))).status).toBe(204)
    expect((await server.call(getMe, {}, ann)).status).toBe(401)
    expect(await statusOfSignIn(password)).toBe(401)
    const { body: session } = await server.call(login, { body: { email: ann.email, password: newPassword } })
    expect(session.user.email_confirmed_at).toBeNull()
    expect(await reset(tokenIn(body.url))).toMatchObject(invalidToken)
  })

  it('is not used up by a GET of its address', async () => {
    const { body } = await createLink()
    const { pathname, search } = new URL(body.url)
    await server.request('GET', `${pathname}${search}`)
    expect((await reset(tokenIn(body.url))).status).toBe(204)
  })

  it('is invalid after a day, and after a newer one was created', async () => {
    const first = (await createLink()).body
    const second = (await createLink()).body
    expect(await reset(tokenIn(first.url))).toMatchObject(invalidToken)
    server.clock.advance(24 * 3_600_000)
    expect(await reset(tokenIn(second.url))).toMatchObject(invalidToken)
  })

  it('is used once by 20 calls at once', async () => {
    const { body } = await createLink()
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) => reset(tokenIn(body.url), `${newPassword} ${index}`)),
    )
    expect(all.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(all.filter(({ status }) => status === 400)).toHaveLength(19)
  })

  it('is refused for an admin, and hidden from members', async () => {
    const second = await makeAdmin(server, ann, admin)
    const refused = {
      status: 409,
      body: {
        detail: "Reset links can't be made for admins. Use a recovery code or ask the server's operator.",
        code: 'admin_not_resettable',
      },
    }
    expect(await createLink(second)).toMatchObject(refused)
    expect(await createLink(admin)).toMatchObject(refused)
    const bob = await server.signUp(`bob${number}`)
    expect((await createLink(admin, bob)).status).toBe(404)
    const nobody = { ...bob, id: crypto.randomUUID() as typeof bob.id }
    expect(await createLink(nobody)).toMatchObject({
      status: 404,
      body: { detail: 'User not found', code: 'user_not_found' },
    })
  })

  it('is invalid once the person is an admin, and a link of the operator stays valid', async () => {
    const { body } = await createLink()
    const link = await server.app.createOperatorLink(ann.email)
    await makeAdmin(server, ann, admin)
    expect(await reset(tokenIn(body.url))).toMatchObject(invalidToken)
    expect(await statusOfSignIn(password)).toBe(200)
    expect((await reset(tokenIn(link?.url ?? ''))).status).toBe(204)
  })

  it('is invalid once the person is the first admin', async () => {
    const bob = await server.signUp(`bob${number}`)
    const { body } = await createLink(bob)
    await server.db`delete from admins`
    await makeAdmin(server, bob)
    expect(await reset(tokenIn(body.url))).toMatchObject(invalidToken)
    await makeAdmin(server, admin, bob)
  })

  it('is an admin action and a security event of the person', async () => {
    await createLink()
    const { body: actions } = await server.call(listAdminActions, { query: { limit: 1 } }, admin)
    expect(actions).toMatchObject([{ action: 'create_reset_link', username: ann.username, admin_username: 'admin' }])
    const { body: events } = await server.call(listSecurityEvents, {}, ann)
    expect(events).toMatchObject([{ kind: 'reset_link_created', device: null, seen_at: null }])
  })
})

describe('a link of the operator', () => {
  it('works for the only admin, by email address or username in any case', async () => {
    for (const login of [ann.email.toUpperCase(), ann.username.toUpperCase()]) {
      const link = await server.app.createOperatorLink(login)
      const token = new URLSearchParams(new URL(link?.url ?? '').hash.slice(1)).get('token') ?? ''
      expect((await reset(token)).status).toBe(204)
    }
    expect(await server.app.createOperatorLink('nobody@example.org')).toBeNull()
  })
})

describe('security events', () => {
  it('made by the same session are seen, and those of others until they are marked', async () => {
    const phone = await server.signIn(ann)
    await createCodes(phone)
    const list = async (who: Person) => (await server.call(listSecurityEvents, {}, who)).body
    const [own] = await list(phone)
    expect(own).toMatchObject({ kind: 'recovery_codes_created', seen_at: own?.created_at })
    const [other] = await list(ann)
    expect(other?.seen_at).toBeNull()
    await server.call(markSecurityEventsSeen, { body: { up_to: other?.id as never } }, ann)
    await createCodes(phone)
    expect((await list(ann)).map(({ seen_at }) => seen_at !== null)).toEqual([false, true])
    const bob = await server.signUp(`bob${number}`)
    expect(await list(bob)).toEqual([])
  })

  it('are deleted after 90 days', async () => {
    await createCodes()
    const count = async () => (await server.db`select 1 from security_events where user_id = ${ann.id}`).length
    expect(await count()).toBe(1)
    server.clock.advance(91 * 86_400_000)
    await server.app.authJobs.runDue()
    expect(await count()).toBe(0)
  })
})

it('the method of a session that a password opened is named', async () => {
  const { body } = await server.call(listSessions, {}, await server.signUp(`cat${number}`))
  expect(body.map(({ method }) => method)).toEqual(['password'])
})

it('a mailed link confirms the address, and mail is still required to ask for one', async () => {
  const unavailable = await server.call(forgotPassword, { body: { email: ann.email } })
  expect(unavailable.status).toBe(501)
  const mailbox = await openMailbox()
  const mailing = await startServer({ SMTP_URL: mailbox.url, CONFIRM_EMAIL: 'off' })
  const sam = await mailing.signUp('sam')
  await mailing.call(forgotPassword, { body: { email: sam.email } })
  await mailing.app.deliveryJobs.runDue()
  const body = { token: mailbox.token(), password: newPassword }
  expect((await mailing.call(resetPassword, { body })).status).toBe(204)
  const { body: session } = await mailing.call(login, { body: { email: sam.email, password: newPassword } })
  expect(session.user.email_confirmed_at).not.toBeNull()
  // The address is confirmed now, so the next reset is mailed to it too.
  await mailing.call(forgotPassword, { body: { email: sam.email } })
  await mailing.app.deliveryJobs.runDue()
  await mailing.call(resetPassword, { body: { token: mailbox.token(), password } })
  await mailing.app.deliveryJobs.runDue()
  expect(mailbox.received.at(-1)?.text).toContain('The password of your account was reset.')
  expect(mailbox.received.at(-1)?.text).toContain("If this wasn't you, set a new password.")
  await mailing.close()
  await mailbox.close()
})
