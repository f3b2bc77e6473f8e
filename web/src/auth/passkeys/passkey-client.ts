import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { call } from '../../api/transport.ts'
import { openSession } from '../../session/session.ts'

/** The server accepts a challenge for five minutes. */
const renewAfterMs = 4 * 60_000

/** Shows the device's list of passkeys and signs in with the chosen one. */
export async function signInWithPasskey(): Promise<void> {
  await enter(await startAuthentication({ optionsJSON: await createOptions() }))
}

/**
 * Offers passkeys in the autofill of the email field until the returned function is called. `onFailure` is called if the server
 * refuses the chosen passkey.
 */
export function offerPasskeysAsAutofill(onFailure: (error: unknown) => void): () => void {
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined

  async function offer() {
    if (isStopped || !(await browserSupportsWebAuthnAutofill())) return
    timer = setTimeout(() => void offer(), renewAfterMs)
    // Rejects if the device has no passkey, another request takes the place of this one, or the server cannot be reached.
    const response = await chooseFromAutofill().catch(() => null)
    if (response === null || isStopped) return
    clearTimeout(timer)
    try {
      await enter(response)
    } catch (error) {
      onFailure(error)
      void offer()
    }
  }

  async function chooseFromAutofill(): Promise<AuthenticationResponseJSON | null> {
    const optionsJSON = await createOptions()
    // A request that begins now would end the one that has taken its place.
    return isStopped ? null : startAuthentication({ optionsJSON, useBrowserAutofill: true })
  }

  void offer()
  return () => {
    isStopped = true
    clearTimeout(timer)
    WebAuthnAbortService.cancelCeremony()
  }
}

/** Creates a passkey on this device. `password` proves who asks if the sign-in is not recent. */
export async function createPasskeyHere(proof: { password?: string }) {
  const optionsJSON = await call('POST /auth/passkeys/options', { body: proof })
  const response = await startRegistration({ optionsJSON })
  return call('POST /auth/passkeys', { body: { response } })
}

function createOptions() {
  return call('POST /auth/passkey/options', {}, { auth: 'none' })
}

function enter(response: AuthenticationResponseJSON): Promise<void> {
  return openSession(() => call('POST /auth/passkey', { body: { response } }, { auth: 'none' }))
}
