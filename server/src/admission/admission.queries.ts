import type { InvitationId, UserId } from '@hither/contract/ids.ts'
import type { RegistrationMode } from '@hither/contract/invitations.ts'
import type { Db, Tx } from '../platform/db/database.ts'

export async function findRegistration(db: Db): Promise<RegistrationMode> {
  const [row] = await db<[{ mode: RegistrationMode }]>`select mode from registration`
  return row.mode
}

/** Finds an invitation with this code that is not used up, expired or revoked. */
export async function findInvitation(db: Db, hash: Buffer, now: Date): Promise<InvitationId | undefined> {
  const [row] = await db<{ id: InvitationId }[]>`
    select id from invitations where code_hash = ${hash} and uses_left > 0 and expires_at > ${now}`
  return row?.id
}

/** Takes one use of an invitation. Concurrent calls never take the same use. Returns whether one was left. */
export async function useInvitation(tx: Tx, id: InvitationId, now: Date): Promise<boolean> {
  const { count } = await tx`
    update invitations set uses_left = uses_left - 1 where id = ${id} and uses_left > 0 and expires_at > ${now}`
  return count > 0
}

export async function isSuspended(tx: Tx, userId: UserId, now: Date): Promise<boolean> {
  const rows = await tx`
    select 1 from suspensions
    where user_id = ${userId} and (suspended_until is null or suspended_until > ${now})`
  return rows.length > 0
}
