import type { SignInMethods } from '@hither/contract/auth/auth.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { AuthDeps } from './auth.service.ts'
import { deleteChallengesOf } from './challenges.queries.ts'
import { deleteIdentitiesOf } from './identities.queries.ts'
import { configuredIssuers, type Issuers, kindOf } from './issuers.rules.ts'
import { deletePasskeysOf } from './passkeys/passkeys.queries.ts'
import { deleteCodesOf } from './recovery/recovery.queries.ts'
import { deleteEventsOf } from './security-events/security-events.queries.ts'
import { findMethods } from './sign-in-methods.queries.ts'

export async function getSignInMethods(
  { pool, issuers }: Pick<AuthDeps, 'pool' | 'issuers'>,
  userId: UserId,
): Promise<SignInMethods> {
  const methods = await findMethods(pool, userId)
  if (!methods) throw new Refusal('authentication_required')
  const kinds = methods.issuers.map((issuer) => kindOf(issuers, issuer))
  return {
    password: methods.has_password,
    google: kinds.includes('google'),
    oidc: kinds.includes('oidc'),
    passkeys: methods.passkeys,
    recovery_codes: methods.recovery_codes,
  }
}

/**
 * Refuses if the account has no way to sign in left. Called after a method was removed, in the same transaction, which has
 * locked the account exclusively: of two removals at once, the second one sees the first.
 */
export async function assertMethodLeft(tx: Tx, issuers: Issuers, userId: UserId): Promise<void> {
  const methods = await findMethods(tx, userId)
  const configured = configuredIssuers(issuers)
  const isLeft =
    methods !== undefined &&
    (methods.has_password || methods.passkeys > 0 || methods.issuers.some((issuer) => configured.includes(issuer)))
  if (!isLeft) throw new Refusal('last_sign_in_method')
}

/**
 * Deletes the passkeys, identities, recovery codes and security events of an account that gets a new owner: otherwise the
 * previous one could still sign in.
 */
export async function eraseSignInMethods(tx: Tx, userId: UserId): Promise<void> {
  await deletePasskeysOf(tx, userId)
  await deleteIdentitiesOf(tx, userId)
  await deleteCodesOf(tx, userId)
  await deleteEventsOf(tx, userId)
  await deleteChallengesOf(tx, userId)
}
