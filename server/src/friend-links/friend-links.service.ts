import { randomBytes } from 'node:crypto'
import type {
  CreatedFriendLink,
  FriendLink,
  FriendLinkPreview,
  FriendLinksExport,
  NewFriendLink,
} from '@hither/contract/friend-links.ts'
import type { FriendLinkId, UserId } from '@hither/contract/ids.ts'
import { friendLinkLimits } from '@hither/contract/runtime/friend-links.ts'
import type { FriendsDeps } from '../friends/friends.service.ts'
import { hashOf } from '../platform/crypto/secret-tokens.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import type { Queried } from '../platform/db/json-parts.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { lockUser } from '../users/user-locks.ts'
import * as queries from './friend-links.queries.ts'
import { readNote, relationOf, withoutSuffix } from './friend-links.rules.ts'

export interface FriendLinksDeps extends FriendsDeps {
  publicUrl: string
}

const minuteMs = 60_000
const dayMs = 1440 * minuteMs

/** Creates a link or QR code. Returns its URL, which is not available later: only the hash of the code is stored. */
export async function createLink(
  { pool, changes, now, publicUrl }: FriendLinksDeps,
  userId: UserId,
  { kind, uses: wanted = friendLinkLimits.usesDefault, days = friendLinkLimits.daysDefault, note = '' }: NewFriendLink,
): Promise<CreatedFriendLink> {
  const isQr = kind === 'qr'
  const uses = isQr ? friendLinkLimits.qrUses : wanted
  const code = randomBytes(16).toString('base64url')
  const created = await changes.commit(pool, async (tx) => {
    const creatorId = await lockUser(tx, userId)
    if (creatorId === null) throw new Refusal('authentication_required')
    const at = now()
    const link = {
      id: newId<FriendLinkId>(),
      ...{ userId: creatorId, kind, uses, note: readNote(note), now: at },
      codeHash: hashOf(code),
      requiresApproval: !isQr && uses > 1,
      expiresAt: new Date(at.getTime() + (isQr ? friendLinkLimits.qrMinutes * minuteMs : days * dayMs)),
    }
    return queries.insertLink(tx, link, isQr ? friendLinkLimits.activeQrMax : friendLinkLimits.activeMax)
  })
  if (!created) throw new Refusal('too_many_friend_links')
  return { ...created, url: `${publicUrl}/add#${code}` }
}

/** Lists the links of a user that are neither expired nor revoked, newest first. */
export async function listLinks({ pool, now }: FriendLinksDeps, userId: UserId): Promise<FriendLink[]> {
  return queries.listLinks(pool, userId, now())
}

/** Revokes a link of the caller; also succeeds if it has ended. */
export async function revokeLink(
  { pool, changes, now }: FriendLinksDeps,
  userId: UserId,
  linkId: FriendLinkId,
): Promise<void> {
  const isTheirs = await changes.commit(pool, (tx) => queries.revokeLink(tx, userId, linkId, now()))
  if (!isTheirs) throw new Refusal('friend_link_not_found')
}

/**
 * Returns what a link shows of its creator. Public, changes nothing. Malformed, unknown, ended and blocked links get the
 * same refusal after the same query.
 */
export async function lookUpLink(
  { pool, now }: FriendLinksDeps,
  viewerId: UserId | null,
  code: string,
): Promise<FriendLinkPreview> {
  const link = await queries.findUsable(pool, { codeHash: hashOf(withoutSuffix(code)), viewerId, now: now() })
  if (!link) throw new Refusal('friend_link_invalid')
  const { username, requires_approval, admits_signup, expires_at, user_id, has_image } = link
  const preview = { username, requires_approval, admits_signup, expires_at }
  return viewerId === null ? preview : { ...preview, user_id, has_image, relation: relationOf(link, viewerId) }
}

/** Returns the links of a user and the links that the user has used, for the export of their data. */
export function exportLinks(db: Db, userId: UserId): Queried<FriendLinksExport> {
  return {
    friend_links: queries.listAllLinks(db, userId),
    friend_links_used: queries.listUsedLinks(db, userId),
  }
}

/** Deletes the links of an account that is emptied. Of its uses of others' links, only the time stays. */
export async function eraseLinks(tx: Tx, userId: UserId): Promise<void> {
  await queries.deleteLinksOf(tx, userId)
}

/** Revokes every link, because a restored backup may contain links that were revoked after it was made. */
export async function revokeAllLinks(tx: Tx, now: Date): Promise<void> {
  await queries.revokeAllLinks(tx, now)
}
