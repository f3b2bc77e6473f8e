import { clearSignInAttempt, type SignInAttempt, storeSignInAttempt } from '../../api/sign-in-attempt.ts'
import { call } from '../../api/transport.ts'
import { isNative } from '../../platform/is-native.ts'
import { base64url, sha256 } from './challenge.ts'

type Start = Pick<SignInAttempt, 'intent' | 'return_to' | 'invitation' | 'friend_code'>

/**
 * Leaves for the page of the provider, which leads back to `/signed-in`. The packaged app opens it in the system browser and
 * stays. Linking requires the password if the sign-in is not recent.
 */
export async function startWithProvider(start: Start, proof: { password?: string } = {}): Promise<void> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
  const challenge = base64url(await sha256(new TextEncoder().encode(verifier)))
  storeSignInAttempt({ ...start, verifier, started_at: Date.now() })
  try {
    const { intent, return_to } = start
    const client = isNative() ? 'app' : 'web'
    const { url } = await call(
      'POST /auth/oidc/start',
      { body: { challenge, intent, return_to, client, ...proof } },
      { auth: 'optional' },
    )
    location.assign(url)
  } catch (error) {
    clearSignInAttempt()
    throw error
  }
}
