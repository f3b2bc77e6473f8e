import type {
  Passkey,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyTransport,
} from '@hither/contract/auth/passkeys.ts'
import type { PasskeyId } from '@hither/contract/ids.ts'
import { defaultPasskeyName, passkeyLimits } from '@hither/contract/runtime/auth/passkeys.ts'
import { isName } from '@hither/contract/runtime/texts.ts'
import type { PasskeySettings } from '../../config/sign-in.ts'
import { hashOf, newSecretToken } from '../../platform/crypto/secret-tokens.ts'
import { newId } from '../../platform/db/ids.ts'
import { fieldError, InvalidInput, Refusal } from '../../platform/errors/refusal.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { deviceOf } from '../auth.rules.ts'
import type { AuthDeps } from '../auth.service.ts'
import { takeChallenge } from '../challenges.queries.ts'
import { assertRecentSignIn, recentSince } from '../recent-sign-in.service.ts'
import { recordSecurityEvent } from '../security-events/security-events.service.ts'
import { lockCaller } from '../sessions.service.ts'
import { assertMethodLeft } from '../sign-in-methods.service.ts'
import * as queries from './passkeys.queries.ts'
import { algorithms, challengeIn, verifyRegistration } from './webauthn.ts'

export const challengeMs = passkeyLimits.challengeMinutes * 60_000

/** Refuses on a server whose address allows no passkeys. */
export function assertAvailable(passkeys: PasskeySettings | null): PasskeySettings {
  if (!passkeys) throw new Refusal('passkeys_not_available')
  return passkeys
}

/**
 * Returns the options of a new passkey, and stores its challenge. The recent sign-in is checked here and not again when the
 * passkey arrives: the challenge belongs to the caller, is valid for a few minutes, and does not outlive a change of the password.
 */
export async function createPasskeyOptions(
  deps: AuthDeps,
  caller: Caller,
  password: string | undefined,
): Promise<PasskeyCreationOptions> {
  const { rpId } = assertAvailable(deps.passkeys)
  const challenge = newSecretToken()
  const owner = await findOwner(deps, caller, password, challenge)
  if (owner.credentials.length >= passkeyLimits.perUser) throw new Refusal('too_many_passkeys')
  return {
    rp: { id: rpId, name: 'Hither' },
    user: {
      id: Buffer.from(caller.userId.replaceAll('-', ''), 'hex').toString('base64url'),
      name: owner.username,
      displayName: owner.display_name ?? owner.username,
    },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeMs,
    excludeCredentials: owner.credentials.map(({ id, transports }) => ({
      id,
      type: 'public-key',
      transports: transports as PasskeyTransport[],
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
    extensions: { credProps: true },
  }
}

async function findOwner(
  deps: AuthDeps,
  caller: Caller,
  password: string | undefined,
  challenge: string,
): Promise<queries.Owner> {
  const now = deps.now()
  const creation = {
    ...{ userId: caller.userId, sessionId: caller.sessionId, recentSince: recentSince(now) },
    ...{ hash: hashOf(challenge), now, expiresAt: new Date(now.getTime() + challengeMs) },
  }
  const owner = await queries.startCreation(deps.pool, { ...creation, isProven: false })
  if (owner?.is_recent) return owner
  await assertRecentSignIn(deps, caller, password)
  const proven = await queries.startCreation(deps.pool, { ...creation, isProven: true })
  if (!proven) throw new Refusal('authentication_required')
  return proven
}

/** Adds a passkey. Every fault gets the same refusal, also a credential that an account has already. */
export async function createPasskey(
  deps: AuthDeps,
  caller: Caller,
  { response, ...input }: { response: PasskeyRegistration; name?: string },
  userAgent: string,
): Promise<Passkey> {
  const name = input.name === undefined ? undefined : readName(input.name)
  const { pool, changes, now } = deps
  const { userId, sessionId } = caller
  const settings = assertAvailable(deps.passkeys)
  const challenge = challengeIn(response.response.clientDataJSON)
  const stored = challenge && (await takeChallenge(pool, 'passkey_create', hashOf(challenge), now()))
  if (!challenge || !stored || stored.user_id !== userId) throw new Refusal('passkey_invalid')
  const verified = await verifyRegistration(settings, response, challenge)
  if (!verified) throw new Refusal('passkey_invalid')
  return changes.commit(pool, async (tx, announce, withCommit) => {
    await lockCaller(tx, caller, now())
    if ((await queries.countPasskeys(tx, userId)) >= passkeyLimits.perUser) throw new Refusal('too_many_passkeys')
    const at = now()
    const passkey = {
      id: newId<PasskeyId>(),
      name: name ?? deviceOf(userAgent) ?? defaultPasskeyName,
      created_at: at.toISOString(),
      last_used_at: null,
      backed_up: verified.backedUp,
    }
    const isNew = await queries.insertPasskey(tx, { ...verified, ...passkey, userId, now: at })
    if (!isNew) throw new Refusal('passkey_invalid')
    recordSecurityEvent(
      { tx, announce, withCommit, canSendMail: deps.canSendMail },
      { userId, kind: 'passkey_added', sessionId, userAgent, at },
    )
    return passkey
  })
}

export function listPasskeys({ pool }: Pick<AuthDeps, 'pool'>, { userId }: Caller): Promise<Passkey[]> {
  return queries.listPasskeys(pool, userId)
}

function readName(text: string): string {
  const name = text.trim()
  if (!isName(name)) throw new InvalidInput(fieldError('body', 'name')('name_hidden'))
  return name
}

export async function renamePasskey(
  { pool, changes }: AuthDeps,
  { userId }: Caller,
  id: PasskeyId,
  text: string,
): Promise<Passkey> {
  const name = readName(text)
  const passkey = await changes.commit(pool, (tx) => queries.updateName(tx, userId, id, name))
  if (!passkey) throw new Refusal('passkey_not_found')
  return passkey
}

/** Removes a passkey unless it is the last way to sign in. */
export async function deletePasskey(
  deps: AuthDeps,
  caller: Caller,
  id: PasskeyId,
  password: string | undefined,
  userAgent: string,
): Promise<void> {
  const { pool, changes, issuers, canSendMail, now } = deps
  const { userId, sessionId } = caller
  await assertRecentSignIn(deps, caller, password)
  await changes.commit(pool, async (tx, announce, withCommit) => {
    await lockCaller(tx, caller, now())
    if (!(await queries.deletePasskey(tx, userId, id))) throw new Refusal('passkey_not_found')
    await assertMethodLeft(tx, issuers, userId)
    recordSecurityEvent(
      { tx, announce, withCommit, canSendMail },
      { userId, kind: 'passkey_removed', sessionId, userAgent, at: now() },
    )
  })
}
