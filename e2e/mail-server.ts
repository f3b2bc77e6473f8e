import { expect } from '@playwright/test'
import { type Mailbox, openMailbox, type ReceivedMail } from '../server/test/mailbox.ts'
import { test as base } from './fixtures.ts'
import { type OwnServer, startOwnServer } from './servers.ts'

interface PostOffice {
  /** The address of a server that sends mail. */
  readonly base: string
  /** Resolves with the mail of this number to this address, counted from 1, when it has arrived. */
  mailTo(email: string, number?: number): Promise<ReceivedMail>
}

/** Tests with a server that requires a confirmed e-mail address. */
export const test = base.extend<{ baseURL: string }, { postOffice: PostOffice }>({
  postOffice: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const mailbox = await openMailbox()
      const server = await startOwnServer({ SMTP_URL: mailbox.url })
      await use({ base: server.base, mailTo: (email, number = 1) => waitForMail(mailbox, email, number) })
      await stopBoth(server, mailbox)
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ postOffice }, use) => use(postOffice.base),
})

async function waitForMail(mailbox: Mailbox, email: string, number: number): Promise<ReceivedMail> {
  const find = () => mailbox.received.filter(({ to }) => to.includes(email))[number - 1]
  await expect.poll(() => find() !== undefined, { timeout: 20_000 }).toBe(true)
  const mail = find()
  if (mail === undefined) throw new Error('The mail is missing')
  return mail
}

async function stopBoth(server: OwnServer, mailbox: Mailbox) {
  await server.stop()
  await mailbox.close()
}
