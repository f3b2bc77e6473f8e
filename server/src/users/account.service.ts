import { type UserId } from '@hither/contract/ids.ts'
import { type AccountExport } from '@hither/contract/users.ts'
import { type AuthDeps } from '../auth/auth.service.ts'
import { assertOwner, type OwnerProof } from '../auth/passwords.service.ts'
import { exportModeration } from '../moderation/export.service.ts'
import { exportNotifications } from '../notifications/preferences.service.ts'
import { listAllMyPings } from '../pings/pings.service.ts'
import { retryConflicts } from '../platform/conflicts.ts'
import { findExport } from './account.queries.ts'
import { eraseAccount } from './account-erasure.service.ts'
import { getOwnUser, type UsersDeps } from './users.service.ts'

/**
 * Erases the account and all that hangs on it, in one transaction. Friends see everything of it vanish, as if each had been
 * deleted; its sessions end at once. Needs the password, or a fresh identity token where there is none.
 */
export async function deleteAccount(
  deps: UsersDeps & Pick<AuthDeps, 'identityTokens'>,
  userId: UserId,
  proof: OwnerProof,
): Promise<void> {
  const { pool, changes, presence, now } = deps
  await assertOwner(deps, userId, proof)
  await retryConflicts(() =>
    changes.commit(pool, (db, announce) => eraseAccount(db, announce, { presence, now: now() }, userId)),
  )
}

/** All that is held on a person, for themselves; of others, their usernames. */
export async function exportAccount(deps: UsersDeps, userId: UserId): Promise<AccountExport> {
  const { pool, now } = deps
  const account = await getOwnUser(pool, userId)
  const { has_password, ...held } = await findExport(pool, userId)
  // As the person sees them: who no longer is a friend is in none.
  const pings = await listAllMyPings(deps, userId)
  const notifications = await exportNotifications(deps, userId)
  const moderation = await exportModeration(pool, userId)
  return {
    exported_at: now().toISOString(),
    account: { ...account, has_password },
    ...held,
    pings,
    notifications,
    moderation,
  }
}
