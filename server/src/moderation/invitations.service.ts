import { randomBytes } from 'node:crypto'
import { type InvitationId, type UserId } from '@hither/contract/ids.ts'
import {
  type Invitation,
  type MadeInvitation,
  moderationLimits,
  type NewInvitation,
  type RegistrationMode,
} from '@hither/contract/moderation.ts'
import { hashOf } from '../auth/secret-tokens.ts'
import { type Db } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { type AdminsDeps, actAsAdmin, assertAdmin } from './admins.service.ts'
import * as queries from './invitations.queries.ts'

const dayMs = 86_400_000
const invitationsMax = 500

/** For anybody to know, so that nobody fills in a form for nothing. */
export function getRegistration(db: Db): Promise<RegistrationMode> {
  return queries.findRegistration(db)
}

export async function setRegistration(deps: AdminsDeps, adminId: UserId, mode: RegistrationMode): Promise<void> {
  await actAsAdmin(deps, adminId, null, async (db, _announce, note) => {
    await queries.updateRegistration(db, mode)
    await note('set_registration', { note: mode })
  })
}

export async function listInvitations({ pool }: AdminsDeps, adminId: UserId): Promise<Invitation[]> {
  await assertAdmin(pool, adminId)
  return queries.listInvitations(pool)
}

/** The link is told this once. */
export async function createInvitation(
  deps: AdminsDeps & { publicUrl: string },
  adminId: UserId,
  { note: text = '', uses = 1, days = moderationLimits.invitationDaysDefault }: NewInvitation,
): Promise<MadeInvitation> {
  const now = deps.now()
  const id = newId<InvitationId>()
  // 128 bits: short enough to be read out, too many to be tried.
  const code = randomBytes(16).toString('base64url')
  const expiresAt = new Date(now.getTime() + days * dayMs)
  return actAsAdmin(deps, adminId, null, async (db, _announce, note) => {
    if ((await queries.countInvitations(db)) >= invitationsMax) throw new Refusal('too_many_invitations')
    const invitation = { id, hash: hashOf(code), note: text.trim(), uses, createdBy: adminId, now, expiresAt }
    await queries.insertInvitation(db, invitation)
    await note('create_invitation', { note: text.trim() || null })
    const made = (await queries.listInvitations(db)).find((one) => one.id === id)
    if (!made) throw new Error('The invitation is not there')
    return { ...made, url: `${deps.publicUrl}/invite/${code}` }
  })
}

export async function revokeInvitation(deps: AdminsDeps, adminId: UserId, id: InvitationId): Promise<void> {
  await actAsAdmin(deps, adminId, null, async (db, _announce, note) => {
    const text = await queries.deleteInvitation(db, id)
    if (text === undefined) throw new Refusal('invitation_not_found')
    await note('revoke_invitation', { note: text || null })
  })
}
