import { signup } from '@hither/contract/auth.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type FaultLine, openFaultLine } from '../../test/fault-line.ts'
import { password, startServer, type TestServer } from '../../test/harness.ts'
import { type Mailbox, openMailbox } from '../../test/mailbox.ts'

let mailbox: Mailbox
let line: FaultLine
let server: TestServer
let number = 0

beforeAll(async () => {
  mailbox = await openMailbox()
  line = await openFaultLine(Number(new URL(mailbox.url).port))
  server = await startServer({ SMTP_URL: `smtp://127.0.0.1:${line.port}` })
})

beforeEach(async () => {
  const username = `ann${++number}`
  // Whoever asks for it is answered, whatever becomes of the mail.
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

// The greeting, the answer to the name, the recipient's, and the word to go ahead.
it.each(['220', 'PIPELINING', '250', '354'])(
  'a mail whose server goes away at its "%s" goes once it is back, once',
  async (text) => {
    line.loseAnswer(text)
    await server.app.deliveryJobs.runDue()
    expect([received().length, await waiting()]).toEqual([0, [1]])
    await tryAgain()
    expect([received().length, await waiting()]).toEqual([1, []])
  },
)

it('a mail whose server is away altogether waits', async () => {
  line.set('closed')
  await server.app.deliveryJobs.runDue()
  expect([received().length, await waiting()]).toEqual([0, [1]])
  line.set('open')
  await tryAgain()
  expect([received().length, await waiting()]).toEqual([1, []])
})

it('a mail that was taken without a word goes again, and can be told for the same', async () => {
  line.loseAnswer('queued')
  await server.app.deliveryJobs.runDue()
  expect(await waiting()).toEqual([1])
  await tryAgain()
  const ids = received().map(({ headers }) => headers['message-id'])
  expect([ids.length, new Set(ids).size, await waiting()]).toEqual([2, 1, []])
})
