import { type AuthSession } from '@hither/contract/auth.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { admit, assertMaySignUp } from '../moderation/admission.service.ts'
import { type Announce } from '../platform/changes.ts'
import { retryConflicts } from '../platform/conflicts.ts'
import { type Db } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { emptyAccount } from '../users/account-erasure.service.ts'
import { usernameFrom } from '../users/users.rules.ts'
import { confirmEmail, createUser, findFreeUsername, replacePassword } from '../users/users.service.ts'
import { type AccountRow, findAccountByEmail } from './auth.queries.ts'
import { type AuthDeps } from './auth.service.ts'
import { findIdentity, insertIdentity } from './identities.queries.ts'
import { type Identity } from './identity-tokens.ts'
import { deleteMailTokensOf } from './mail-tokens.queries.ts'
import { openSession, type SignInDevice } from './sessions.service.ts'
import { deleteSignupsWith } from './signups.queries.ts'

/** Signs into the account that the identity, or else its verified address, belongs to, or makes one. */
export async function signInWithIdentity(
  deps: AuthDeps,
  { id_token: idToken, nonce, invitation }: { id_token: string; nonce?: string; invitation?: string },
  device: SignInDevice,
): Promise<{ session: AuthSession; isNew: boolean }> {
  const { pool, changes, tokens, now, identityTokens } = deps
  if (!identityTokens) throw new Refusal('google_not_configured')
  const identity = await identityTokens.verify(idToken, nonce)
  // The same person from two windows at once, or somebody who takes the name that was free.
  return retryConflicts(() =>
    changes.commit(pool, async (db, announce, lastly) => {
      const known = await findIdentity(db, identity.issuer, identity.subject)
      if (known) return { session: await openSession({ db, lastly }, tokens, known, device, now()), isNew: false }
      const account = await findAccountByEmail(db, identity.email)
      if (account) await claimAccount(db, announce, account, now())
      const userId = account?.id ?? (await createFrom(db, identity, invitation, now()))
      await insertIdentity(db, { issuer: identity.issuer, subject: identity.subject, userId, now: now() })
      return { session: await openSession({ db, lastly }, tokens, userId, device, now()), isNew: !account }
    }),
  )
}

/**
 * An account whose address was never confirmed may have been made by somebody else, who made friends with it and waits for
 * the owner of the address. So the owner gets it empty: otherwise their first ping would reach that person's friends.
 */
async function claimAccount(db: Db, announce: Announce, account: AccountRow, now: Date): Promise<void> {
  if (account.email_confirmed_at !== null) return
  await emptyAccount(db, announce, account.id, now)
  await replacePassword(db, account.id, { from: account.password_hash, to: null, now })
  await deleteMailTokensOf(db, account.id)
  await confirmEmail(db, account.id, now)
}

async function createFrom(
  db: Db,
  { email, name }: Identity,
  invitation: string | undefined,
  now: Date,
): Promise<UserId> {
  await admit(db, await assertMaySignUp(db, invitation, now), now)
  const id = newId<UserId>()
  const username = await findFreeUsername(db, usernameFrom(name))
  await createUser(db, { id, email, username, passwordHash: null, now })
  await confirmEmail(db, id, now)
  // Whoever waits for a link to this address would find it taken.
  await deleteSignupsWith(db, email)
  return id
}
