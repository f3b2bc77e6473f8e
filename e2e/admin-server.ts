import { claimAdmin } from '@hither/contract/moderation.ts'
import { test as base } from './fixtures.ts'
import { call, type Person, signUp } from './people.ts'
import { startOwnServer } from './servers.ts'

/** A server of one's own, with somebody who runs it. */
export const test = base.extend<{ baseURL: string; admin: Person }, { hither: { base: string; admin: Person } }>({
  hither: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const server = await startOwnServer({})
      const admin = await signUp(server.base, 'root')
      await call(server.base, claimAdmin, { body: { code: server.adminCode } }, admin)
      await use({ base: server.base, admin })
      await server.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ hither }, use) => use(hither.base),
  admin: async ({ hither }, use) => use(hither.admin),
})
