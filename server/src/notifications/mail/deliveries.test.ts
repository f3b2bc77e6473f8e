import { forgotPassword, signup } from '@hither/contract/auth/auth.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { password, startServer, type TestServer } from '../../../test/harness.ts'
import { type Mailbox, openMailbox } from '../../../test/mailbox.ts'
import { createApp } from '../../app.ts'
import { readConfig } from '../../config.ts'

let server: TestServer
let mailbox: Mailbox
let number = 0
let email: string

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ SMTP_URL: mailbox.url })
})

beforeEach(async () => {
  number++
  email = `ann${number}@example.org`
  Object.assign(mailbox, { refusal: null, textRefusal: null, acceptsCredentials: true })
  await server.db`delete from deliveries`
})

afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const halfMinuteMs = 30_000

async function signUp() {
  expect((await server.call(signup, { body: { email, password, username: `ann${number}` } })).status).toBe(201)
}

function received() {
  return mailbox.received.filter(({ to }) => to.includes(email)).length
}

async function waiting() {
  return (await server.db`select attempts from deliveries`).map((row) => row['attempts'] as number)
}

/** Starts another node on the same database and records its log lines. */
async function startNode(smtpUrl = mailbox.url) {
  const lines: string[] = []
  const app = await createApp({
    config: { ...readConfig({ SMTP_URL: smtpUrl, RATE_LIMITS: 'off' }), port: 0 },
    pool: server.db,
    authSecret: 'a secret for tests, long enough to sign',
    log: pino({ level: 'trace' }, { write: (line) => lines.push(line) }),
    now: server.clock.now,
  })
  return { app, lines }
}

describe('a mail', () => {
  it('is sent once, and leaves nothing behind', async () => {
    await signUp()
    expect(await waiting()).toEqual([0])
    await server.app.deliveryJobs.runDue()
    await server.app.deliveryJobs.runDue()
    expect([received(), await waiting()]).toEqual([1, []])
  })

  it('is sent at once by the running job', async () => {
    const { app } = await startNode()
    const url = await app.http.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(async () => void (await app.stop()))
    app.start()
    const body = JSON.stringify({ email, password, username: `ann${number}` })
    const signedUp = await fetch(`${url}/api/auth/signup`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(signedUp.ok).toBe(true)
    await expect.poll(received).toBe(1)
  })

  it('that is refused is retried, later each time, with the same id and a working link', async () => {
    await signUp()
    mailbox.refusal = { code: 451, text: 'Not now' }
    await server.app.deliveryJobs.runDue()
    expect([received(), await waiting()]).toEqual([0, [1]])
    server.clock.advance(halfMinuteMs - 1)
    await server.app.deliveryJobs.runDue()
    expect(await waiting()).toEqual([1])
    server.clock.advance(1)
    await server.app.deliveryJobs.runDue()
    expect(await waiting()).toEqual([2])
    server.clock.advance(halfMinuteMs)
    await server.app.deliveryJobs.runDue()
    expect(await waiting()).toEqual([2])
    mailbox.refusal = null
    server.clock.advance(halfMinuteMs)
    await server.app.deliveryJobs.runDue()
    expect([received(), await waiting()]).toEqual([1, []])
    const answer = await server.request('POST', '/api/auth/confirm', { body: { token: mailbox.token(), password } })
    expect(answer.status).toBe(200)
  })

  it('is given up after a day', async () => {
    await signUp()
    mailbox.refusal = { code: 450, text: 'Not now' }
    await server.app.deliveryJobs.runDue()
    server.clock.advance(24 * 3_600_000)
    await server.app.deliveryJobs.runDue()
    expect(await waiting()).toEqual([2])
    server.clock.advance(1)
    await server.app.deliveryJobs.runDue()
    expect(await waiting()).toEqual([])
  })

  it.each([
    ['recipient', 550, 'refusal'],
    ['recipient', 501, 'refusal'],
    ['text', 554, 'textRefusal'],
  ] as const)('whose %s is refused with %i is not sent again', async (_, code, refusal) => {
    await signUp()
    mailbox[refusal] = { code, text: 'No' }
    await server.app.deliveryJobs.runDue()
    expect([received(), await waiting()]).toEqual([0, []])
  })

  it.each([
    ['recipient', 452, 'refusal'],
    ['text', 451, 'textRefusal'],
  ] as const)('whose %s is refused with %i for now is sent again', async (_, code, refusal) => {
    await signUp()
    mailbox[refusal] = { code, text: 'Not now' }
    await server.app.deliveryJobs.runDue()
    expect([received(), await waiting()]).toEqual([0, [1]])
  })

  it('is sent again after the mail server refused to sign this server in', async () => {
    const { app } = await startNode(mailbox.url.replace('//', '//hither:secret@'))
    mailbox.acceptsCredentials = false
    await signUp()
    await app.deliveryJobs.runDue()
    expect([received(), await waiting()]).toEqual([0, [1]])
    await app.stop()
  })

  it('to letters of other scripts is sent if the mail server takes them', async () => {
    email = `j\u00f6s\u00e9${number}@example.org`
    await signUp()
    await server.app.deliveryJobs.runDue()
    expect([received(), await waiting()]).toEqual([1, []])
  })

  it('to letters of other scripts is neither promised nor sent if the mail server does not take them', async () => {
    const plain = await openMailbox({ hideSMTPUTF8: true })
    const other = await startServer({ SMTP_URL: plain.url })
    email = `j\u00f6s\u00e9${number}@example.org`
    const unreachable = { status: 422, body: { detail: [{ loc: ['body', 'email'], code: 'email_unreachable' }] } }
    const body = { email, password, username: `ann${number}` }
    expect(await other.call(signup, { body })).toMatchObject(unreachable)
    expect(await other.call(forgotPassword, { body: { email } })).toMatchObject(unreachable)
    // The domain has an ASCII form, which every mail server takes.
    const reachable = { ...body, email: `ann${number}@m\u00fcnchen.example` }
    expect((await other.call(signup, { body: reachable })).status).toBe(201)
    await other.db`update signups set email = ${email} where username = ${body.username}`
    await other.app.deliveryJobs.runDue()
    expect([plain.received, await other.db`select 1 from deliveries`]).toEqual([[], []])
    await other.close()
    await plain.close()
  })

  it('does not delay the next mails for long', async () => {
    for (let index = 0; index < 7; index++) {
      email = `crowd${number}.${index}@example.org`
      await server.call(signup, { body: { email, password, username: `crowd${number}.${index}` } })
    }
    await server.app.deliveryJobs.runDue()
    expect(await waiting()).toEqual([])
  })

  it('is sent once when two nodes look for it at the same moment', async () => {
    const { app } = await startNode()
    await signUp()
    await Promise.all([server.app.deliveryJobs.runDue(), app.deliveryJobs.runDue()])
    expect([received(), await waiting()]).toEqual([1, []])
    await app.stop()
  })

  it('of a crashed node is sent by another one after the lease of the first', async () => {
    await signUp()
    const leaseUntil = new Date(server.clock.now().getTime() + 5 * 60_000)
    await server.db`update deliveries set due_at = ${leaseUntil}, attempts = 1`
    await server.app.deliveryJobs.runDue()
    expect(received()).toBe(0)
    server.clock.advance(5 * 60_000)
    await server.app.deliveryJobs.runDue()
    expect(received()).toBe(1)
  })

  it('to a deleted account is not sent', async () => {
    await signUp()
    await server.db`delete from signups`
    await server.app.deliveryJobs.runDue()
    expect([received(), await waiting()]).toEqual([0, []])
  })

  it('leaves neither address nor token in the log, whatever the mail server replies', async () => {
    const { app, lines } = await startNode()
    mailbox.refusal = { code: 450, text: `${email} is unknown here` }
    await signUp()
    await app.deliveryJobs.runDue()
    mailbox.refusal = null
    server.clock.advance(halfMinuteMs)
    await app.deliveryJobs.runDue()
    expect(received()).toBe(1)
    const log = lines.join('')
    expect(log).toContain('mail delivery failed')
    expect(log).toContain('450')
    expect(log).not.toContain(email)
    expect(log).not.toContain(mailbox.token())
    await app.stop()
  })

  it('is not delayed by the many mails of another person, whose address is refused', async () => {
    await signUp()
    await server.db`
      insert into deliveries (id, template, signup_id, created_at, due_at)
      select gen_random_uuid(), template, signup_id, created_at, due_at from deliveries, generate_series(1, 12)`
    server.clock.advance(1)
    const other = `bob${number}@example.org`
    await server.call(signup, { body: { email: other, password, username: `bob${number}` } })
    mailbox.refusal = { code: 450, text: 'later', to: email }
    await server.app.deliveryJobs.runDue()
    expect(mailbox.received.at(-1)?.to).toContain(other)
    // It was in the first of two batches of five. The second one failed as a whole.
    const attempts = await waiting()
    expect([attempts.length, attempts.filter((count) => count > 0).length]).toEqual([13, 9])
  })

  it('waits while the mail server is unreachable', async () => {
    const { app } = await startNode('smtp://127.0.0.1:9')
    await signUp()
    await app.deliveryJobs.runDue()
    expect(await waiting()).toEqual([1])
    await app.stop()
  })
})
