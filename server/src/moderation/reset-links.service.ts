import type { ResetLink } from '@hither/contract/auth/recovery.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { createResetLinkFor } from '../auth/recovery/reset-links.service.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { isAdmin } from './admins.queries.ts'
import type { AdminsDeps } from './admins.service.ts'
import { actAsAdmin } from './admins.service.ts'

interface ResetLinksDeps extends AdminsDeps {
  readonly publicUrl: string
  readonly canSendMail: boolean
}

/** Creates a link with which a member sets a new password. An admin cannot take over another admin this way. */
export async function createResetLink(deps: ResetLinksDeps, adminId: UserId, userId: UserId): Promise<ResetLink> {
  const { publicUrl, canSendMail, now } = deps
  return actAsAdmin(deps, adminId, userId, async (tx, announce, note, users, withCommit) => {
    if (await isAdmin(tx, userId)) throw new Refusal('admin_not_resettable')
    await note('create_reset_link', { userId })
    return createResetLinkFor(
      { tx, announce, withCommit, canSendMail, publicUrl },
      { userId: users.get(userId), source: 'admin', now: now() },
    )
  })
}
