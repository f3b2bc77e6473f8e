import type { InvitationId, UserId } from '@hither/contract/ids.ts'
import type { Invitation, MemberInvites, RegistrationMode } from '@hither/contract/invitations.ts'
import type { Db, Tx } from '../platform/db/database.ts'

/** Without `memberInvites`, their number stays. */
export async function updateRegistration(
  tx: Tx,
  { mode, memberInvites }: { mode: RegistrationMode; memberInvites: MemberInvites | undefined },
): Promise<void> {
  await tx`
    update registration set mode = ${mode}, member_invites = coalesce(${memberInvites ?? null}::smallint, member_invites)`
}

export async function insertInvitation(
  tx: Tx,
  invitation: {
    id: InvitationId
    hash: Buffer
    note: string
    uses: number
    createdBy: UserId
    now: Date
    expiresAt: Date
  },
): Promise<void> {
  const { id, hash, note, uses, createdBy, now, expiresAt } = invitation
  await tx`
    insert into invitations (id, code_hash, note, uses_max, uses_left, created_by, created_at, expires_at)
    values (${id}, ${hash}, ${note}, ${uses}, ${uses}, ${createdBy}, ${now}, ${expiresAt})`
}

/** Lists invitations, newest first. Used-up and expired ones are included until they are deleted. */
export async function listInvitations(db: Db): Promise<Invitation[]> {
  return db<Invitation[]>`
    select i.id, i.note, i.uses_max, i.uses_left, u.username as created_by_username, i.created_at, i.expires_at
    from invitations i left join users u on u.id = i.created_by
    order by i.id desc`
}

export async function countInvitations(tx: Tx): Promise<number> {
  const [row] = await tx<[{ count: number }]>`select count(*)::int as count from invitations`
  return row.count
}

/** Deletes an invitation. Returns its note; undefined if it did not exist. */
export async function deleteInvitation(tx: Tx, id: InvitationId): Promise<string | undefined> {
  const [row] = await tx<{ note: string }[]>`delete from invitations where id = ${id} returning note`
  return row?.note
}
