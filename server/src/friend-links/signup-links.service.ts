import type { FriendLinkResult } from '@hither/contract/friend-links.ts'
import type { FriendLinkId, InvitationId } from '@hither/contract/ids.ts'
import { admit, assertMaySignUp, getRegistration } from '../admission/admission.service.ts'
import type { Announce } from '../events/changes.ts'
import type { FriendsDeps } from '../friends/friends.service.ts'
import { hashOf } from '../platform/crypto/secret-tokens.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { type LockedUser, lockCreatorOfLink } from '../users/user-locks.ts'
import { connect, type LockedLink } from './accept-link.service.ts'
import * as queries from './friend-links.queries.ts'
import { withoutSuffix } from './friend-links.rules.ts'

// Decides what a friend link means for a sign-up.

/** What a sign-up brings along. It may wait for the confirmation of its address. */
interface SignupAdmission {
  readonly invitationId: InvitationId | null
  readonly hasFriendCode: boolean
  /** The friend link; null without a code and if the code was not usable. */
  readonly friendLinkId: FriendLinkId | null
  /** Whether the sign-up is allowed in every registration mode. */
  readonly isEverybodyAdmitted?: boolean
}

/**
 * Checks that a sign-up is allowed at this moment, by the registration mode, an invitation or a friend link. Uses neither
 * of them yet. Without a friend code it does what `assertMaySignUp` does.
 */
export async function assertAdmission(
  db: Db,
  { invitation, friend_code }: { invitation?: string; friend_code?: string },
  now: Date,
): Promise<SignupAdmission> {
  if (friend_code === undefined) {
    const invitationId = await assertMaySignUp(db, invitation, now)
    return { invitationId, hasFriendCode: false, friendLinkId: null }
  }
  const link = await queries.findUsable(db, { codeHash: hashOf(withoutSuffix(friend_code)), viewerId: null, now })
  const withLink = { hasFriendCode: true, friendLinkId: link?.id ?? null }
  if (invitation !== undefined) return { ...withLink, invitationId: await assertMaySignUp(db, invitation, now) }
  await assertLinkAdmits(db, link)
  return { ...withLink, invitationId: null }
}

/** Finds the friend link of a sign-up that is allowed in every registration mode, without checking that it admits it. */
export async function findFriendLink(db: Db, friendCode: string | undefined, now: Date): Promise<SignupAdmission> {
  if (friendCode === undefined) return { invitationId: null, hasFriendCode: false, friendLinkId: null }
  const link = await queries.findUsable(db, { codeHash: hashOf(withoutSuffix(friendCode)), viewerId: null, now })
  return { invitationId: null, hasFriendCode: true, friendLinkId: link?.id ?? null }
}

/**
 * Evaluates the admission again in the transaction that creates the account, and takes a use of the invitation. Locks the
 * creator of the friend link and returns the link if it is usable. `validAt` is the time of the sign-up: a link that
 * expired after it is still valid.
 */
export async function admitSignUp(
  tx: Tx,
  { invitationId, hasFriendCode, friendLinkId, isEverybodyAdmitted = false }: SignupAdmission,
  { now, validAt }: { now: Date; validAt: Date },
): Promise<LockedLink | undefined> {
  if (!hasFriendCode) {
    if (!isEverybodyAdmitted) await admit(tx, invitationId, now)
    return undefined
  }
  const link = friendLinkId === null ? undefined : await lockLink(tx, friendLinkId, { now, validAt })
  if (isEverybodyAdmitted) return link
  if (invitationId === null) await assertLinkAdmits(tx, link)
  else await admit(tx, invitationId, now)
  return link
}

/**
 * Connects a new user with the creator of the link of `admitSignUp`. Returns what became of the friend code, or undefined
 * without one.
 */
export async function connectNewUser(
  deps: Pick<FriendsDeps, 'presence'>,
  tx: Tx,
  announce: Announce,
  {
    userId,
    admission,
    link,
    now,
    validAt,
  }: { userId: LockedUser; admission: SignupAdmission; link: LockedLink | undefined; now: Date; validAt: Date },
): Promise<FriendLinkResult | undefined> {
  if (!admission.hasFriendCode) return undefined
  if (!link) return { status: 'invalid', username: null }
  const status = await connect(deps, tx, announce, link, { userId, signedUp: true, now, validAt })
  return { status, username: link.username }
}

async function assertLinkAdmits(db: Db, link: queries.UsableLink | undefined): Promise<void> {
  const mode = await getRegistration(db)
  if (mode === 'open') return
  if (mode === 'closed') throw new Refusal('registration_closed')
  if (!link) throw new Refusal('invitation_invalid')
  if (!link.admits_signup) throw new Refusal('signup_not_admitted')
}

/** The lock serializes everything that uses a link of the creator, and with it the count of their invited accounts. */
async function lockLink(
  tx: Tx,
  linkId: FriendLinkId,
  times: { now: Date; validAt: Date },
): Promise<LockedLink | undefined> {
  const creatorId = await lockCreatorOfLink(tx, linkId)
  const link = creatorId && (await queries.findUsableById(tx, { linkId, viewerId: null, ...times }))
  return creatorId && link ? { ...link, user_id: creatorId } : undefined
}
