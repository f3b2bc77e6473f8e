import { type InvitationId, type UserId } from '@hither/contract/ids.ts'
import { type Invitation, type RegistrationMode } from '@hither/contract/moderation.ts'
import { type Db } from '../platform/database.ts'

export async function findRegistration(db: Db): Promise<RegistrationMode> {
  const [row] = await db<[{ mode: RegistrationMode }]>`select mode from registration`
  return row.mode
}

export async function updateRegistration(db: Db, mode: RegistrationMode): Promise<void> {
  await db`update registration set mode = ${mode}`
}

/** One that still lets somebody in. */
export async function findInvitation(db: Db, hash: Buffer, now: Date): Promise<InvitationId | undefined> {
  const [row] = await db<{ id: InvitationId }[]>`
    select id from invitations where code_hash = ${hash} and uses_left > 0 and expires_at > ${now}`
  return row?.id
}

/** Takes one of its uses, of which two at once never take the same. Whether there was one. */
export async function takeUse(db: Db, id: InvitationId, now: Date): Promise<boolean> {
  const { count } = await db`
    update invitations set uses_left = uses_left - 1 where id = ${id} and uses_left > 0 and expires_at > ${now}`
  return count > 0
}

export async function insertInvitation(
  db: Db,
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
  await db`
    insert into invitations (id, code_hash, note, uses_max, uses_left, created_by, created_at, expires_at)
    values (${id}, ${hash}, ${note}, ${uses}, ${uses}, ${createdBy}, ${now}, ${expiresAt})`
}

/** Newest first; also those that are used up or over, for a while. */
export async function listInvitations(db: Db): Promise<Invitation[]> {
  return db<Invitation[]>`
    select i.id, i.note, i.uses_max, i.uses_left, u.username as created_by_username, i.created_at, i.expires_at
    from invitations i left join users u on u.id = i.created_by
    order by i.id desc`
}

export async function countInvitations(db: Db): Promise<number> {
  const [row] = await db<[{ count: number }]>`select count(*)::int as count from invitations`
  return row.count
}

/** Its note, where it was there. */
export async function deleteInvitation(db: Db, id: InvitationId): Promise<string | undefined> {
  const [row] = await db<{ note: string }[]>`delete from invitations where id = ${id} returning note`
  return row?.note
}
