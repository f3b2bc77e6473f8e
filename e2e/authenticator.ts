import type { Page } from '@playwright/test'

interface Authenticator {
  /** Runs `work`, in which the user unlocks the device whenever it asks for it, as with a fingerprint. */
  whileUnlocked(work: () => Promise<unknown>): Promise<void>
}

/** Gives the browser of this page an authenticator like that of a phone: with user verification and its own list of passkeys. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  })
  const setPresence = (enabled: boolean) =>
    cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  return {
    async whileUnlocked(work) {
      await setPresence(true)
      await work()
      await setPresence(false)
    },
  }
}
