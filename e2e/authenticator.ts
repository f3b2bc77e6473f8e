import type { Page } from '@playwright/test'

interface Authenticator {
  /** Runs `work`, in which the user unlocks the device whenever it asks for it, as with a fingerprint. */
  whileUnlocked(work: () => Promise<unknown>): Promise<void>
}

declare global {
  function untilUnlocked(): Promise<void>
}

/**
 * Gives the browser of this page an authenticator like that of a phone: with user verification and its own list of passkeys. A device
 * that is locked answers when it is unlocked, but Chromium's virtual one never answers a request that arrived before. So requests wait
 * in the page until then, from the next navigation on.
 */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  let lock = Promise.withResolvers<void>()
  await page.exposeFunction('untilUnlocked', () => lock.promise)
  await page.addInitScript(() => {
    const { credentials } = navigator
    credentials.get = whenUnlocked(credentials.get.bind(credentials))
    credentials.create = whenUnlocked(credentials.create.bind(credentials))

    function whenUnlocked<Options extends { signal?: AbortSignal }, Result>(
      ask: (options?: Options) => Promise<Result>,
    ) {
      return async (options?: Options) => {
        const aborted = new Promise((resolve) => options?.signal?.addEventListener('abort', resolve))
        await Promise.race([untilUnlocked(), aborted])
        return ask(options)
      }
    }
  })
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async whileUnlocked(work) {
      lock.resolve()
      await work()
      lock = Promise.withResolvers()
    },
  }
}
