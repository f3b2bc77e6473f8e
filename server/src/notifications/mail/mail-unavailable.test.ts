import { signup } from '@hither/contract/auth/auth.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type FaultyProxy, openFaultyProxy } from '../../../test/faulty-proxy.ts'
import { password, startServer, type TestServer } from '../../../test/harness.ts'
import { type Mailbox, openMailbox } from '../../../test/mailbox.ts'

let mailbox: Mailbox
let line: FaultyProxy
let server: TestServer
let number = 0

beforeAll(async () => {
  mailbox = await openMailbox()
  line = await openFaultyProxy(Number(new URL(mailbox.url).port))
  server = await startServer({ SMTP_URL: `smtp://127.0.0.1:${line.port}` })
})

beforeEach(async () => {
  const username = `ann${++number}`
  // The request for a mail succeeds, whatever happens to the mail.
  const { status } = await server.call(signup, { body: { email: `${username}@example.org`, password, username } })
  expect(status).toBe(201)
})

afterAll(async () => {
  await server.close()
  await line.close()
  await mailbox.close()
})

const received = () => mailbox.received.filter(({ to }) => to.includes(`ann${number}@example.org`))
const waiting = async () => (await server.db`select attempts from deliveries`).map((row) => row['attempts'] as number)

async function tryAgain() {
  server.clock.advance(30_000)
  await server.app.deliveryJobs.runDue()
}

// The greeting, the replies to EHLO and to the recipient, and the permission to send the data.
it.each(['220', 'PIPELINING', '250', '354'])(
  'a mail whose server closes the connection at "%s" is sent once after the server is back',
  async (text) => {
    line.dropResponse(text)
    await server.app.deliveryJobs.runDue()
    expect([received().length, await waiting()]).toEqual([0, [1]])
    await tryAgain()
    expect([received().length, await waiting()]).toEqual([1, []])
  },
)

it('a mail waits while its server is unavailable', async () => {
  line.set('closed')
  await server.app.deliveryJobs.runDue()
  expect([received().length, await waiting()]).toEqual([0, [1]])
  line.set('open')
  await tryAgain()
  expect([received().length, await waiting()]).toEqual([1, []])
})

it('a mail accepted without a reply is sent again with the same Message-ID', async () => {
  line.dropResponse('queued')
  await server.app.deliveryJobs.runDue()
  expect(await waiting()).toEqual([1])
  await tryAgain()
  const ids = received().map(({ headers }) => headers['message-id'])
  expect([ids.length, new Set(ids).size, await waiting()]).toEqual([2, 1, []])
})
