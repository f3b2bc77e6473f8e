import { claimAdmin } from '@hither/contract/moderation.ts'
import { type Mailbox, openMailbox } from '../server/test/mailbox.ts'
import { test as base } from './fixtures.ts'
import { call, type Person, signUp } from './people.ts'
import { startOwnServer } from './servers.ts'

interface Hither {
  readonly base: string
  readonly admin: Person
  readonly mailbox: Mailbox
}

/** Tests with a separate server, an admin account on it, and a local mail server. */
export const test = base.extend<{ baseURL: string; admin: Person; mailbox: Mailbox }, { hither: Hither }>({
  hither: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const mailbox = await openMailbox()
      const server = await startOwnServer({ SMTP_URL: mailbox.url, CONFIRM_EMAIL: 'off' })
      const admin = await signUp(server.base, 'root')
      await call(server.base, claimAdmin, { body: { code: server.adminCode } }, admin)
      await use({ base: server.base, admin, mailbox })
      await server.stop()
      await mailbox.close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ hither }, use) => use(hither.base),
  admin: async ({ hither }, use) => use(hither.admin),
  mailbox: async ({ hither }, use) => use(hither.mailbox),
})
