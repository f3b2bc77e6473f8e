import type { AuthSession } from '@hither/contract/auth/auth.ts'
import type { PasskeyAssertion, PasskeyRequestOptions } from '@hither/contract/auth/passkeys.ts'
import { hashOf, newSecretToken } from '../../platform/crypto/secret-tokens.ts'
import { inOrder } from '../../platform/db/in-order.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { AuthDeps } from '../auth.service.ts'
import { insertChallenge } from '../challenges.queries.ts'
import { openSession, type SignInDevice } from '../sessions.service.ts'
import * as queries from './passkeys.queries.ts'
import { assertAvailable, challengeMs } from './passkeys.service.ts'
import { challengeIn, verifyAssertion } from './webauthn.ts'

/** Stores a challenge for a sign-in. Names no passkeys: the device offers those that it has for this server. */
export async function createPasskeySignInOptions({ pool, passkeys, now }: AuthDeps): Promise<PasskeyRequestOptions> {
  const { rpId } = assertAvailable(passkeys)
  const challenge = newSecretToken()
  const at = now()
  await insertChallenge(pool, {
    ...{ hash: hashOf(challenge), purpose: 'passkey_sign_in', userId: null, data: {} },
    ...{ now: at, expiresAt: new Date(at.getTime() + challengeMs) },
  })
  return { challenge, rpId, timeout: challengeMs, allowCredentials: [], userVerification: 'required' }
}

/**
 * Signs in with a passkey. An unknown credential is verified with a key of nobody, so that every fault takes the same
 * statement and the same check.
 */
export async function signInWithPasskey(
  deps: AuthDeps,
  assertion: PasskeyAssertion,
  device: SignInDevice,
): Promise<AuthSession> {
  const { pool, changes, tokens, log, now } = deps
  const settings = assertAvailable(deps.passkeys)
  const challenge = challengeIn(assertion.response.clientDataJSON) ?? ''
  const credentialId = Buffer.from(assertion.id, 'base64url')
  const passkey = await queries.takeSignIn(pool, { hash: hashOf(challenge), credentialId, now: now() })
  const verified = await verifyAssertion(settings, assertion, challenge, passkey ?? keyOfNobody(credentialId))
  if (!passkey || !verified || !isHandleOf(assertion.response.userHandle, passkey.user_id))
    throw new Refusal('passkey_invalid')
  if (verified.counter > 0 && verified.counter <= Number(passkey.counter))
    log.warn('the signature counter of a passkey did not grow')
  return changes.commit(pool, async (tx, _announce, withCommit) => {
    const at = now()
    // After the lock of the account: a removal of the passkey waits for it, or has happened before.
    const [session, isThere] = await inOrder([
      openSession({ tx, withCommit }, tokens, passkey.user_id, { device, method: 'passkey' }, at),
      queries.updateUsed(tx, passkey.id, { ...verified, now: at }),
    ])
    if (!isThere) throw new Refusal('passkey_invalid')
    return session
  })
}

/** A P-256 key in the COSE format: the generator of the curve. */
const publicKeyOfNobody = Buffer.from(
  'a5010203262001215820' +
    '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' +
    '225820' +
    '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  'hex',
)

function keyOfNobody(credentialId: Buffer) {
  return { credential_id: credentialId, public_key: publicKeyOfNobody }
}

/** The handle is the id of the account, as in the options of the passkey. Some devices leave it out. */
function isHandleOf(userHandle: string | null | undefined, userId: string): boolean {
  if (userHandle === undefined || userHandle === null || userHandle === '') return true
  return Buffer.from(userHandle, 'base64url').toString('hex') === userId.replaceAll('-', '')
}
