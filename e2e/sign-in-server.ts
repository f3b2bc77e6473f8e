import { claimAdmin } from '@hither/contract/moderation.ts'
import { Events, OAuth2Server } from 'oauth2-mock-server'
import { test as base } from './fixtures.ts'
import { call, type Person, signUp } from './people.ts'
import { startOwnServer } from './servers.ts'

/** The OpenID Connect provider of the server. It signs everybody in at once, as the person of `signInAs`. */
interface Provider {
  readonly origin: string
  signInAs(claims: { sub: string; email: string; email_verified?: boolean; preferred_username?: string }): void
  /** Makes the next visitor cancel. */
  cancelNext(): void
}

interface SignInServer {
  readonly base: string
  readonly admin: Person
  readonly provider: Provider
}

export const providerName = 'Authelia'

/** Tests with a server that has passkeys, a sign-in provider, an admin and no mail server. */
export const test = base.extend<{ baseURL: string; admin: Person; provider: Provider }, { signInServer: SignInServer }>(
  {
    signInServer: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
      async ({}, use) => {
        const { provider, stop } = await startProvider()
        const settings = { OIDC_ISSUER: provider.origin, OIDC_CLIENT_ID: 'hither', OIDC_NAME: providerName }
        const server = await startOwnServer(settings, 'localhost')
        const admin = await signUp(server.base, 'root')
        await call(server.base, claimAdmin, { body: { code: server.adminCode } }, admin)
        await use({ base: server.base, admin, provider })
        await server.stop()
        await stop()
      },
      { scope: 'worker', timeout: 120_000 },
    ],
    baseURL: async ({ signInServer }, use) => use(signInServer.base),
    admin: async ({ signInServer }, use) => use(signInServer.admin),
    provider: async ({ signInServer }, use) => use(signInServer.provider),
  },
)

async function startProvider(): Promise<{ provider: Provider; stop: () => Promise<void> }> {
  const mock = new OAuth2Server()
  await mock.issuer.keys.generate('RS256')
  await mock.start(0, 'localhost')
  let claims: Record<string, unknown> = {}
  mock.service.on(Events.BeforeTokenSigning, (token: { payload: object }) => Object.assign(token.payload, claims))
  const provider: Provider = {
    origin: mock.issuer.url ?? '',
    signInAs(person) {
      claims = { email_verified: true, ...person }
    },
    cancelNext() {
      mock.service.once(Events.BeforeAuthorizeRedirect, ({ url }: { url: URL }) => {
        url.searchParams.delete('code')
        url.searchParams.set('error', 'access_denied')
      })
    },
  }
  return { provider, stop: () => mock.stop() }
}
