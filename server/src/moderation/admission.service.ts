import { type InvitationId, type UserId } from '@hither/contract/ids.ts'
import { hashOf } from '../auth/secret-tokens.ts'
import { type Db } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import { findInvitation, findRegistration, takeUse } from './invitations.queries.ts'
import { isSuspended } from './suspensions.queries.ts'

// Who comes in, as whoever signs people up and in asks it.

/** Right for the rest of the transaction where the account is held. */
export async function assertNotSuspended(db: Db, userId: UserId, now: Date): Promise<void> {
  if (await isSuspended(db, userId, now)) throw new Refusal('account_suspended')
}

/**
 * Whether somebody may sign up at this moment, with the code of their link where one is needed: the invitation that it takes,
 * if any. Takes nothing of it yet. A code that is unknown, used up, over or revoked is refused alike.
 */
export async function assertMaySignUp(db: Db, code: string | undefined, now: Date): Promise<InvitationId | null> {
  const mode = await findRegistration(db)
  if (mode === 'open') return null
  if (mode === 'closed') throw new Refusal('registration_closed')
  if (code === undefined) throw new Refusal('invitation_required')
  const invitationId = await findInvitation(db, hashOf(code), now)
  if (!invitationId) throw new Refusal('invitation_invalid')
  return invitationId
}

/** Joins the transaction that makes an account. Of two at once with the last use of an invitation, one is refused. */
export async function admit(db: Db, invitationId: InvitationId | null, now: Date): Promise<void> {
  const mode = await findRegistration(db)
  if (mode === 'open') return
  if (mode === 'closed') throw new Refusal('registration_closed')
  if (invitationId === null) throw new Refusal('invitation_required')
  if (!(await takeUse(db, invitationId, now))) throw new Refusal('invitation_invalid')
}
