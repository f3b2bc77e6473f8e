import type { AccountExport } from '@hither/contract/users.ts'
import type { AuthDeps } from '../auth/auth.service.ts'
import { assertOwner, type OwnerProof } from '../auth/passwords.service.ts'
import { assertRecentSignIn } from '../auth/recent-sign-in.service.ts'
import { assertSessionOpen } from '../auth/sessions.service.ts'
import { exportCircles } from '../circles/circles.service.ts'
import { exportLinks } from '../friend-links/friend-links.service.ts'
import { lockRelations } from '../friends/account-erasure.service.ts'
import { exportModeration } from '../moderation/export.service.ts'
import { exportNotifications } from '../notifications/preferences.service.ts'
import { listAllMyPings } from '../pings/pings.service.ts'
import { retryConflicts } from '../platform/db/conflicts.ts'
import type { Caller } from '../platform/http/caller.ts'
import { getOwnUser, type UsersDeps } from '../users/users.service.ts'
import { findExport } from './account.queries.ts'
import { eraseAccount } from './account-erasure.service.ts'

export type AccountDeps = UsersDeps & Pick<AuthDeps, 'identityTokens' | 'issuers' | 'rateLimits'>

/**
 * Deletes the account and everything that belongs to it in one transaction. For friends each thing disappears as if it
 * had been deleted; sessions end at once. Needs the password, or a fresh identity token for an account without a
 * password.
 */
export async function deleteAccount(deps: AccountDeps, caller: Caller, proof: OwnerProof): Promise<void> {
  const { pool, changes, presence, now } = deps
  await assertOwner(deps, caller, proof)
  await retryConflicts(() =>
    changes.commit(pool, async (tx, announce) => {
      await lockRelations(tx, caller.userId)
      await assertSessionOpen(tx, caller, now())
      await eraseAccount(tx, announce, { presence, now: now() }, caller.userId)
    }),
  )
}

/**
 * Returns all data about the user, for the user. Contains only the usernames of others. Needs a recent sign-in or the
 * password: a device that somebody left unlocked must not give all messages and places in one call.
 */
export async function exportAccount(deps: AccountDeps, caller: Caller, password?: string): Promise<AccountExport> {
  await assertRecentSignIn(deps, caller, password)
  const { pool, now } = deps
  const { userId } = caller
  const account = await getOwnUser(pool, userId)
  const { has_password, ...stored } = await findExport(pool, userId, now())
  // The pings as the user sees them, without users who are no longer friends.
  const pings = await listAllMyPings(deps, userId)
  const circles = await exportCircles(pool, userId)
  const friendLinks = await exportLinks(pool, userId)
  const notifications = await exportNotifications(deps, userId)
  const moderation = await exportModeration(pool, userId)
  return {
    exported_at: now().toISOString(),
    account: { ...account, has_password },
    ...stored,
    circles,
    ...friendLinks,
    pings,
    notifications,
    moderation,
  }
}
