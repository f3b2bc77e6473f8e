import type { InvitationId, UserId } from '@hither/contract/ids.ts'
import type { RegistrationMode } from '@hither/contract/invitations.ts'
import { hashOf } from '../platform/crypto/secret-tokens.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import * as queries from './admission.queries.ts'

// Decides who may sign up and sign in.

/** Returns the registration mode. Public. */
export function getRegistration(db: Db): Promise<RegistrationMode> {
  return queries.findRegistration(db)
}

export function isSuspended(tx: Tx, userId: UserId, now: Date): Promise<boolean> {
  return queries.isSuspended(tx, userId, now)
}

/** Refuses a suspended user. Stays valid until the transaction ends if the account is locked. */
export async function assertNotSuspended(tx: Tx, userId: UserId, now: Date): Promise<void> {
  if (await queries.isSuspended(tx, userId, now)) throw new Refusal('account_suspended')
}

/**
 * Checks that a sign-up is allowed at this moment, with an invitation code where one is required. Returns the
 * invitation to use, if any, without using it yet. Unknown, used-up, expired and revoked codes get the same refusal.
 */
export async function assertMaySignUp(db: Db, code: string | undefined, now: Date): Promise<InvitationId | null> {
  const mode = await queries.findRegistration(db)
  if (mode === 'open') return null
  if (mode === 'closed') throw new Refusal('registration_closed')
  if (code === undefined) throw new Refusal('invitation_required')
  const invitationId = await queries.findInvitation(db, hashOf(code), now)
  if (!invitationId) throw new Refusal('invitation_invalid')
  return invitationId
}

/**
 * Uses the invitation. Joins the transaction that creates the account. If two concurrent calls take the last use, one
 * is refused.
 */
export async function admit(tx: Tx, invitationId: InvitationId | null, now: Date): Promise<void> {
  const mode = await queries.findRegistration(tx)
  if (mode === 'open') return
  if (mode === 'closed') throw new Refusal('registration_closed')
  if (invitationId === null) throw new Refusal('invitation_required')
  if (!(await queries.useInvitation(tx, invitationId, now))) throw new Refusal('invitation_invalid')
}
