import type { AuthSession } from '@hither/contract/auth/auth.ts'
import type { FriendLinkResult } from '@hither/contract/friend-links.ts'
import type { SessionId, UserId } from '@hither/contract/ids.ts'
import type { Announce } from '../events/changes.ts'
import { admitSignUp, assertAdmission, connectNewUser } from '../friend-links/signup-links.service.ts'
import { ConcurrentChangeError, retryConflicts } from '../platform/db/conflicts.ts'
import type { Tx } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { newLockedUser } from '../users/user-locks.ts'
import { usernameFrom } from '../users/users.rules.ts'
import { confirmEmail, createUser, findFreeUsername, replacePassword } from '../users/users.service.ts'
import { type AccountRow, findAccountByEmail } from './auth.queries.ts'
import type { AuthDeps } from './auth.service.ts'
import { findIdentity, insertIdentity } from './identities.queries.ts'
import { deleteMailTokensOf } from './mails/mail-tokens.queries.ts'
import { recordSecurityEvent } from './security-events/security-events.service.ts'
import { type CheckedSecret, openSession, type SignInDevice, withFriendLink } from './sessions.service.ts'
import { deleteSignupsWith } from './signups.queries.ts'

/** Signs in to the account of the identity or of its verified address, or creates one. */
export async function signInWithIdentity(
  deps: AuthDeps,
  {
    id_token: idToken,
    nonce,
    ...codes
  }: { id_token: string; nonce?: string; invitation?: string; friend_code?: string },
  device: SignInDevice,
): Promise<{ session: AuthSession; isNew: boolean }> {
  const { pool, changes, tokens, now, identityTokens, canSendMail } = deps
  if (!identityTokens) throw new Refusal('google_not_configured')
  const identity = await identityTokens.verify(idToken, nonce)
  // Conflicts come from the same person in two windows, or from a user who takes the free name in between.
  return retryConflicts(() =>
    changes.commit(pool, async (tx, announce, withCommit) => {
      const open = (userId: UserId, more: { id?: SessionId; checked?: CheckedSecret }) =>
        openSession({ tx, withCommit }, tokens, userId, { device, method: 'google', ...more }, now())
      const known = await findIdentity(tx, identity.issuer, identity.subject)
      if (known) return { session: await open(known, { checked: identity }), isNew: false }
      const email = identity.isEmailVerified ? identity.email : null
      if (email === null) throw new Refusal('invalid_identity_token')
      const account = await findAccountByEmail(tx, email)
      if (account) await claimAccount(deps, tx, announce, account, now())
      const { userId, friend_link } = account
        ? { userId: account.id, friend_link: undefined }
        : await createFrom(deps, tx, announce, { ...identity, email }, codes)
      const sessionId = newId<SessionId>()
      // Locks the account, which comes before the change.
      const session = await open(userId, { id: sessionId })
      await insertIdentity(tx, { ...identity, userId, now: now() })
      // The new owner of an emptied account has done nothing to it before.
      if (account && account.email_confirmed_at !== null)
        recordSecurityEvent(
          { tx, announce, withCommit, canSendMail },
          { userId, kind: 'provider_linked', sessionId, userAgent: device.userAgent, at: now() },
        )
      return { session: withFriendLink(session, friend_link), isNew: !account }
    }),
  )
}

/**
 * An account whose address was never confirmed may have been created by somebody else, who made friends with it and
 * waits for the owner of the address. The owner gets it empty: otherwise their first ping would reach the friends of
 * that person.
 */
async function claimAccount(
  { emptyAccount }: Pick<AuthDeps, 'emptyAccount'>,
  tx: Tx,
  announce: Announce,
  account: AccountRow,
  now: Date,
): Promise<void> {
  if (account.email_confirmed_at !== null) return
  await emptyAccount(tx, announce, account.id, now)
  const isReplaced = await replacePassword(tx, account.id, { from: account.password_hash, to: null, now })
  // Its creator has set another password since the account was read, and would keep it.
  if (!isReplaced) throw new ConcurrentChangeError()
  await deleteMailTokensOf(tx, account.id)
  await confirmEmail(tx, account.id, now)
}

async function createFrom(
  { presence, now: clock }: AuthDeps,
  tx: Tx,
  announce: Announce,
  { email, name }: { email: string; name: string },
  codes: { invitation?: string; friend_code?: string },
): Promise<{ userId: UserId; friend_link: FriendLinkResult | undefined }> {
  const now = clock()
  const times = { now, validAt: now }
  const admission = await assertAdmission(tx, codes, now)
  const link = await admitSignUp(tx, admission, times)
  const userId = newLockedUser()
  const username = await findFreeUsername(tx, usernameFrom(name))
  await createUser(tx, { id: userId, email, username, passwordHash: null, now })
  await confirmEmail(tx, userId, now)
  // Pending sign-ups with this address could no longer succeed.
  await deleteSignupsWith(tx, email)
  const friend_link = await connectNewUser({ presence }, tx, announce, { userId, admission, link, ...times })
  return { userId, friend_link }
}
