import {
  changePassword,
  confirm,
  forgotPassword,
  login,
  resendConfirmation,
  resetPassword,
} from '@hither/contract/auth/auth.ts'
import { createRecoveryCodes, createResetLink, recover } from '@hither/contract/auth/recovery.ts'
import { listSecurityEvents } from '@hither/contract/auth/security-events.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { type Mailbox, openMailbox } from '../../test/mailbox.ts'
import { race } from '../../test/race.ts'
import { makeAdmin } from '../moderation/harness.ts'

let server: TestServer
let mailbox: Mailbox
let number = 0
let admin: Person
let ann: Person

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ SMTP_URL: mailbox.url, CONFIRM_EMAIL: 'off', PUBLIC_URL: 'https://hither.example.org' })
  admin = await makeAdmin(server, await server.signUp('admin'))
})

beforeEach(async () => {
  ann = await server.signUp(`ann${++number}`)
})

afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const newPassword = 'a new and better one'

/** Starts the calls one after another while the account is locked. */
async function statusesOf(...calls: (() => Promise<{ status: number }>)[]) {
  const answers = await race(
    server.db,
    (tx) => tx`select id from users where id = ${ann.id} for no key update`,
    ...calls,
  )
  return answers.map(({ status }) => status)
}

function reset(token: string, secret = newPassword) {
  return server.call(resetPassword, { body: { token, password: secret } })
}

async function mailedToken(kind: 'reset' | 'confirm') {
  await server.call(kind === 'reset' ? forgotPassword : resendConfirmation, { body: { email: ann.email } })
  await server.app.deliveryJobs.runDue()
  return mailbox.token()
}

async function createLink() {
  const { status, body } = await server.call(createResetLink, { params: { id: ann.id } }, admin)
  return { status, token: status === 201 ? new URL(body.url).hash.replace('#token=', '') : '' }
}

async function createTokens(): Promise<string[]> {
  const { body } = await server.call(createRecoveryCodes, { body: {} }, ann)
  const tokens: string[] = []
  for (const code of body.codes.slice(0, 3))
    tokens.push((await server.call(recover, { body: { email: ann.email, code } })).body.reset_token)
  return tokens
}

async function statusOfSignIn(secret: string) {
  return (await server.call(login, { body: { email: ann.email, password: secret } })).status
}

describe('a reset of the password', () => {
  it('with three tokens of one account at once succeeds with one of them', async () => {
    const tokens = await createTokens()
    const calls = tokens.map((token, index) => () => reset(token, `${newPassword} ${index}`))
    expect(await statusesOf(...calls)).toEqual([204, 400, 400])
    const statuses = await Promise.all(tokens.map((_token, index) => statusOfSignIn(`${newPassword} ${index}`)))
    expect(statuses).toEqual([200, 401, 401])
  })

  it('during a change of the password finds that its token is invalid', async () => {
    const { token } = await createLink()
    const change = () =>
      server.call(changePassword, { body: { current_password: password, new_password: 'changed by its owner' } }, ann)
    expect(await statusesOf(change, () => reset(token))).toEqual([204, 400])
    expect(await statusOfSignIn('changed by its owner')).toBe(200)
  })

  it('replaces a password whose change it waited for', async () => {
    const [token = ''] = await createTokens()
    const before = await server.signIn(ann)
    const change = (as: Person) => () =>
      server.call(changePassword, { body: { current_password: password, new_password: 'changed by a stranger' } }, as)
    expect(await statusesOf(() => reset(token), change(before))).toEqual([204, 401])
    expect(await statusOfSignIn('changed by a stranger')).toBe(401)
    expect(await statusOfSignIn(newPassword)).toBe(200)
  })

  it('while an admin creates a new link finds that the old one is invalid', async () => {
    const { token } = await createLink()
    expect(await statusesOf(createLink, () => reset(token))).toEqual([201, 400])
    expect(await statusOfSignIn(password)).toBe(200)
  })

  it('makes a link for the confirmation of the address invalid that is used at the same time', async () => {
    const token = await mailedToken('confirm')
    const { token: resetToken } = await createLink()
    const confirmAddress = () => server.call(confirm, { body: { token, password } })
    expect(await statusesOf(() => reset(resetToken), confirmAddress)).toEqual([204, 400])
  })

  it('with a mailed link leaves the content of an account whose address was confirmed meanwhile', async () => {
    await server.call(createRecoveryCodes, { body: {} }, ann)
    const confirmToken = await mailedToken('confirm')
    const resetToken = await mailedToken('reset')
    const confirmAddress = () => server.call(confirm, { body: { token: confirmToken, password } })
    expect(await statusesOf(confirmAddress, () => reset(resetToken))).toEqual([200, 204])
    const { body: session } = await server.call(login, { body: { email: ann.email, password: newPassword } })
    const { body: events } = await server.call(listSecurityEvents, {}, session.access_token)
    expect(events.map(({ kind }) => kind)).toEqual(['password_reset', 'recovery_codes_created'])
  })
})
