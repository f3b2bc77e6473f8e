import { randomBytes } from 'node:crypto'
import type { InvitationId, UserId } from '@hither/contract/ids.ts'
import type {
  Invitation,
  MadeInvitation,
  MemberInvites,
  NewInvitation,
  RegistrationMode,
} from '@hither/contract/invitations.ts'
import { moderationLimits } from '@hither/contract/runtime/moderation.ts'
import { cleanLine } from '@hither/contract/runtime/texts.ts'
import { hashOf } from '../platform/crypto/secret-tokens.ts'
import { newId } from '../platform/db/ids.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { type AdminsDeps, actAsAdmin, assertAdmin } from './admins.service.ts'
import * as queries from './invitations.queries.ts'

const dayMs = 86_400_000

export async function setRegistration(
  deps: AdminsDeps,
  adminId: UserId,
  { mode, member_invites: memberInvites }: { mode: RegistrationMode; member_invites?: MemberInvites },
): Promise<void> {
  await actAsAdmin(deps, adminId, null, async (tx, _announce, note) => {
    await queries.updateRegistration(tx, { mode, memberInvites })
    await note('set_registration', { note: mode })
  })
}

export async function listInvitations({ pool }: AdminsDeps, adminId: UserId): Promise<Invitation[]> {
  await assertAdmin(pool, adminId)
  return queries.listInvitations(pool)
}

/** Creates an invitation. Returns its link, which is not available later. */
export async function createInvitation(
  deps: AdminsDeps & { publicUrl: string },
  adminId: UserId,
  { note: text = '', uses = 1, days = moderationLimits.invitationDaysDefault }: NewInvitation,
): Promise<MadeInvitation> {
  const now = deps.now()
  const label = cleanLine(text)
  const id = newId<InvitationId>()
  // 128 bits: short enough to read out, too many to guess.
  const code = randomBytes(16).toString('base64url')
  const expiresAt = new Date(now.getTime() + days * dayMs)
  return actAsAdmin(deps, adminId, null, async (tx, _announce, note) => {
    if ((await queries.countInvitations(tx)) >= moderationLimits.invitationsMax)
      throw new Refusal('too_many_invitations')
    const invitation = { id, hash: hashOf(code), note: label, uses, createdBy: adminId, now, expiresAt }
    await queries.insertInvitation(tx, invitation)
    await note('create_invitation', { note: label || null })
    const made = (await queries.listInvitations(tx)).find((one) => one.id === id)
    if (!made) throw new Error('The invitation is not there')
    return { ...made, url: `${deps.publicUrl}/invite/#${code}` }
  })
}

export async function revokeInvitation(deps: AdminsDeps, adminId: UserId, id: InvitationId): Promise<void> {
  await actAsAdmin(deps, adminId, null, async (tx, _announce, note) => {
    const text = await queries.deleteInvitation(tx, id)
    if (text === undefined) throw new Refusal('invitation_not_found')
    await note('revoke_invitation', { note: text || null })
  })
}
