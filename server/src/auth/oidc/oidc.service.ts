import type { AuthSession } from '@hither/contract/auth/auth.ts'
import type { FriendLinkResult } from '@hither/contract/friend-links.ts'
import type { SessionId, UserId } from '@hither/contract/ids.ts'
import { oidcLimits } from '@hither/contract/runtime/auth/oidc.ts'
import type { Announce } from '../../events/changes.ts'
import {
  admitSignUp,
  assertAdmission,
  connectNewUser,
  findFriendLink,
} from '../../friend-links/signup-links.service.ts'
import { hashOf, newSecretToken } from '../../platform/crypto/secret-tokens.ts'
import { retryConflicts } from '../../platform/db/conflicts.ts'
import type { Tx } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/ids.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { newLockedUser } from '../../users/user-locks.ts'
import { usernameFrom } from '../../users/users.rules.ts'
import { confirmEmail, createUser, findFreeUsername } from '../../users/users.service.ts'
import { findAccountByEmail } from '../auth.queries.ts'
import type { AuthDeps } from '../auth.service.ts'
import { insertChallenge, takeChallenge } from '../challenges.queries.ts'
import { findIdentity, insertIdentity } from '../identities.queries.ts'
import { assertRecentSignIn } from '../recent-sign-in.service.ts'
import { recordSecurityEvent } from '../security-events/security-events.service.ts'
import { type CheckedSecret, lockCaller, openSession, type SignInDevice, withFriendLink } from '../sessions.service.ts'
import { deleteSignupsWith } from '../signups.queries.ts'
import {
  challengeOf,
  failedUrl,
  isCallbackError,
  type OidcClient,
  type ProviderIdentity,
  returnPathOf,
  signedInUrl,
} from './oidc.rules.ts'
import type { OidcProvider } from './provider.ts'

type Intent = 'sign_in' | 'link'

/** What is stored while a person is at the provider. */
interface Attempt {
  /** The SHA-256 of the verifier that only the client knows. */
  readonly challenge: string
  readonly intent: Intent
}

interface StartedAttempt extends Attempt {
  readonly client: OidcClient
  readonly return_to: string
}

/** What is stored until the client comes with the code. */
interface AnsweredAttempt extends Attempt {
  readonly identity: ProviderIdentity
}

function assertConfigured({ oidc }: Pick<AuthDeps, 'oidc'>): OidcProvider {
  if (!oidc) throw new Refusal('oidc_not_configured')
  return oidc
}

/** Stores an attempt and returns the address of the provider. A link needs a recent sign-in. */
export async function startOidc(
  deps: AuthDeps,
  caller: Caller | null,
  {
    challenge,
    intent = 'sign_in',
    client = 'web',
    ...input
  }: { challenge: string; return_to?: string; intent?: Intent; client?: OidcClient; password?: string },
): Promise<{ url: string }> {
  const { pool, now } = deps
  const provider = assertConfigured(deps)
  if (intent === 'link') {
    if (!caller) throw new Refusal('authentication_required')
    await assertRecentSignIn(deps, caller, input.password)
  }
  const state = newSecretToken()
  const url = await provider.authorizationUrl(state)
  const data: StartedAttempt = { challenge, intent, client, return_to: returnPathOf(input.return_to) }
  const at = now()
  await insertChallenge(pool, {
    ...{
      hash: hashOf(state),
      purpose: 'oidc_state',
      userId: intent === 'link' ? (caller?.userId ?? null) : null,
      data,
    },
    ...{ now: at, expiresAt: new Date(at.getTime() + oidcLimits.stateMinutes * 60_000) },
  })
  return { url }
}

/**
 * Takes the provider's answer and returns where the browser goes. Changes no account and signs nobody in: the code in the
 * fragment is worthless without the verifier of the browser that started.
 */
export async function receiveCallback(deps: AuthDeps, query: string): Promise<string> {
  const { pool, oidc, now } = deps
  const state = new URLSearchParams(query).get('state') ?? ''
  const taken = oidc && (await takeChallenge<StartedAttempt>(pool, 'oidc_state', hashOf(state), now()))
  if (!oidc || !taken) return failedUrl('web', 'sign_in_attempt_invalid')
  const { client, challenge, intent, return_to } = taken.data
  try {
    const data: AnsweredAttempt = { challenge, intent, identity: await oidc.exchange(state, query) }
    const code = newSecretToken()
    const at = now()
    await insertChallenge(pool, {
      ...{ hash: hashOf(code), purpose: 'oidc_code', userId: taken.user_id, data },
      ...{ now: at, expiresAt: new Date(at.getTime() + oidcLimits.codeSeconds * 1000) },
    })
    return signedInUrl(client, code, return_to)
  } catch (thrown) {
    if (thrown instanceof Refusal && isCallbackError(thrown.code)) return failedUrl(client, thrown.code)
    throw thrown
  }
}

/** Takes the attempt of a code. A wrong verifier uses the code up. */
async function takeAttempt(
  { pool, now }: Pick<AuthDeps, 'pool' | 'now'>,
  { code, verifier }: { code: string; verifier: string },
  intent: Intent,
): Promise<{ identity: ProviderIdentity; userId: UserId | null }> {
  const taken = await takeChallenge<AnsweredAttempt>(pool, 'oidc_code', hashOf(code), now())
  if (!taken || taken.data.intent !== intent || taken.data.challenge !== challengeOf(verifier))
    throw new Refusal('sign_in_attempt_invalid')
  return { identity: taken.data.identity, userId: taken.user_id }
}

interface FinishInput {
  readonly code: string
  readonly verifier: string
  readonly invitation?: string
  readonly friend_code?: string
}

/** Signs in to the account of the identity or of its verified address, or creates one. */
export async function finishOidc(
  deps: AuthDeps,
  { code, verifier, ...codes }: FinishInput,
  device: SignInDevice,
): Promise<{ session: AuthSession; isNew: boolean }> {
  const { pool, changes, tokens, canSendMail, now } = deps
  const { settings } = assertConfigured(deps)
  const { identity } = await takeAttempt(deps, { code, verifier }, 'sign_in')
  const method = 'oidc'
  // Conflicts come from the same person in two windows, or from a user who takes the free name in between.
  return retryConflicts(() =>
    changes.commit(pool, async (tx, announce, withCommit) => {
      const open = (userId: UserId, more: { id?: SessionId; checked?: CheckedSecret }) =>
        openSession({ tx, withCommit }, tokens, userId, { device, method, ...more }, now())
      const known = await findIdentity(tx, identity.issuer, identity.subject)
      if (known) return { session: await open(known, { checked: identity }), isNew: false }
      const email = settings.trustsEmail || identity.isEmailVerified ? identity.email : null
      if (email === null) throw new Refusal('identity_email_unverified')
      const account = await findAccountByEmail(tx, email)
      // Somebody else may have created the unconfirmed account, and may know its password.
      if (account?.email_confirmed_at === null) throw new Refusal('identity_link_needed')
      const { userId, friend_link } = account
        ? { userId: account.id, friend_link: undefined }
        : await createFrom(deps, tx, announce, { ...identity, email }, codes)
      const sessionId = newId<SessionId>()
      // Locks the account, which comes before the change.
      const session = await open(userId, { id: sessionId })
      await insertIdentity(tx, { ...identity, email, userId, now: now() })
      if (account)
        recordSecurityEvent(
          { tx, announce, withCommit, canSendMail },
          { userId, kind: 'provider_linked', sessionId, userAgent: device.userAgent, at: now() },
        )
      return { session: withFriendLink(session, friend_link), isNew: !account }
    }),
  )
}

async function createFrom(
  { presence, oidc, now: clock }: AuthDeps,
  tx: Tx,
  announce: Announce,
  { email, name }: { email: string; name: string },
  codes: { invitation?: string; friend_code?: string },
): Promise<{ userId: UserId; friend_link: FriendLinkResult | undefined }> {
  const now = clock()
  const times = { now, validAt: now }
  const signUp = oidc?.settings.signUp
  if (signUp === 'off') throw new Refusal('registration_closed')
  const isEverybodyAdmitted = signUp === 'on'
  const admission = isEverybodyAdmitted
    ? await findFriendLink(tx, codes.friend_code, now)
    : await assertAdmission(tx, codes, now)
  const link = await admitSignUp(tx, { ...admission, isEverybodyAdmitted }, times)
  const userId = newLockedUser()
  const username = await findFreeUsername(tx, usernameFrom(name))
  await createUser(tx, { id: userId, email, username, passwordHash: null, now })
  await confirmEmail(tx, userId, now)
  // Pending sign-ups with this address could no longer succeed.
  await deleteSignupsWith(tx, email)
  const friend_link = await connectNewUser({ presence }, tx, announce, { userId, admission, link, ...times })
  return { userId, friend_link }
}

/** Links the identity to the account that started the link, which is that of the caller. */
export async function linkOidc(
  deps: AuthDeps,
  caller: Caller,
  input: { code: string; verifier: string },
  userAgent: string,
): Promise<void> {
  const { pool, changes, canSendMail, now } = deps
  const { userId, sessionId } = caller
  assertConfigured(deps)
  const { identity, userId: startedBy } = await takeAttempt(deps, input, 'link')
  if (startedBy !== userId) throw new Refusal('sign_in_attempt_invalid')
  await retryConflicts(() =>
    changes.commit(pool, async (tx, announce, withCommit) => {
      await lockCaller(tx, caller, now())
      const owner = await findIdentity(tx, identity.issuer, identity.subject)
      if (owner === userId) return
      if (owner) throw new Refusal('identity_in_use')
      const at = now()
      await insertIdentity(tx, { ...identity, userId, now: at })
      recordSecurityEvent(
        { tx, announce, withCommit, canSendMail },
        { userId, kind: 'provider_linked', sessionId, userAgent, at },
      )
    }),
  )
}
