import type { ResetLink } from '@hither/contract/auth/recovery.ts'
import { recoveryLimits } from '@hither/contract/runtime/auth/recovery.ts'
import type { Announce, WithCommit } from '../../events/changes.ts'
import { hashOf, newSecretToken } from '../../platform/crypto/secret-tokens.ts'
import type { Tx } from '../../platform/db/database.ts'
import type { LockedUser } from '../../users/user-locks.ts'
import { deleteMailTokensFrom, insertMailToken } from '../mails/mail-tokens.queries.ts'
import { recordSecurityEvent } from '../security-events/security-events.service.ts'

interface LinkTransaction {
  readonly tx: Tx
  readonly announce: Announce
  readonly withCommit: WithCommit
  readonly canSendMail: boolean
  readonly publicUrl: string
}

/** Invalidates the links that admins made for this account. */
export async function revokeAdminLinks(tx: Tx, userId: LockedUser): Promise<void> {
  await deleteMailTokensFrom(tx, userId, 'admin')
}

/**
 * Creates a link that sets a new password, and deletes the earlier ones from the same source.
 */
export async function createResetLinkFor(
  { tx, publicUrl, ...transaction }: LinkTransaction,
  { userId, source, now }: { userId: LockedUser; source: 'admin' | 'operator'; now: Date },
): Promise<ResetLink> {
  const token = newSecretToken()
  const expiresAt = new Date(now.getTime() + recoveryLimits.linkHours * 3_600_000)
  await deleteMailTokensFrom(tx, userId, source)
  await insertMailToken(tx, { hash: hashOf(token), purpose: 'reset', source, userId, signupId: null, now, expiresAt })
  recordSecurityEvent(
    { tx, ...transaction },
    { userId, kind: 'reset_link_created', sessionId: null, userAgent: null, at: now },
  )
  return { url: `${publicUrl}/reset-password#token=${token}`, expires_at: expiresAt.toISOString() }
}
