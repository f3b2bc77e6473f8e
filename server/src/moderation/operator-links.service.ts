import type { ResetLink } from '@hither/contract/auth/recovery.ts'
import type { AdminActionId } from '@hither/contract/ids.ts'
import { createResetLinkFor } from '../auth/recovery/reset-links.service.ts'
import type { Config } from '../config.ts'
import { newId } from '../platform/db/ids.ts'
import { lockUser } from '../users/user-locks.ts'
import { insertAction } from './actions.queries.ts'
import type { AdminsDeps } from './admins.service.ts'
import { findIdByLogin } from './people.queries.ts'

interface OperatorLinksDeps extends AdminsDeps {
  readonly config: Pick<Config, 'publicUrl' | 'mail'>
}

/**
 * Creates a link that sets a new password, for the operator of the server: also for an admin. `login` is the email address or
 * the username. Returns `null` if no account has it.
 */
export async function createOperatorLink(
  { pool, changes, config, now }: OperatorLinksDeps,
  login: string,
): Promise<ResetLink | null> {
  return changes.commit(pool, async (tx, announce, withCommit) => {
    const [found] = await findIdByLogin(tx, login)
    const userId = found ? await lockUser(tx, found.id) : null
    if (userId === null) return null
    const at = now()
    await insertAction(tx, {
      ...{ id: newId<AdminActionId>(), adminId: null, action: 'create_reset_link', userId, reportId: null },
      ...{ note: 'By the operator, with npm run reset-link', now: at },
    })
    return createResetLinkFor(
      { tx, announce, withCommit, canSendMail: config.mail !== null, publicUrl: config.publicUrl },
      { userId, source: 'operator', now: at },
    )
  })
}
