import type { AcceptedFriendLink } from '@hither/contract/friend-links.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { Announce } from '../events/changes.ts'
import type { FriendsDeps } from '../friends/friends.service.ts'
import { startFriendship } from '../friends/friendships.service.ts'
import { sendRequest } from '../friends/requests.service.ts'
import { hashOf } from '../platform/crypto/secret-tokens.ts'
import type { Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { type LockedUser, lockUsersAndRead } from '../users/user-locks.ts'
import { findUsable, findUsableById, takeUse, type UsableLink } from './friend-links.queries.ts'
import { outcomeOf, withoutSuffix } from './friend-links.rules.ts'

/**
 * Makes the caller a friend of the creator of a link, or sends them a request. A repeated call has the same result as long
 * as the two are connected. A use is counted once per user.
 */
export async function acceptLink(deps: FriendsDeps, callerId: UserId, code: string): Promise<AcceptedFriendLink> {
  const { pool, changes, now } = deps
  const found = await findUsable(pool, { codeHash: hashOf(withoutSuffix(code)), viewerId: callerId, now: now() })
  if (!found) throw new Refusal('friend_link_invalid')
  const { id: linkId, user_id, username } = found
  if (user_id === callerId) throw new Refusal('own_friend_link')
  return changes.commit(pool, async (tx, announce) => {
    const at = now()
    const [users, link] = await lockUsersAndRead(tx, [callerId, user_id], () =>
      findUsableById(tx, { linkId, viewerId: callerId, now: at, validAt: at }),
    )
    if (!users.has(callerId) || !users.has(user_id) || !link) throw new Refusal('friend_link_invalid')
    const connecting = { userId: users.get(callerId), now: at, validAt: at, signedUp: false }
    const status = await connect(deps, tx, announce, { ...link, user_id: users.get(user_id) }, connecting)
    return { status, user_id, username }
  })
}

/** A link whose creator is locked. */
export type LockedLink = UsableLink & { readonly user_id: LockedUser }

interface Connecting {
  readonly userId: LockedUser
  readonly signedUp: boolean
  readonly now: Date
  /** The time at which the link must not have expired. */
  readonly validAt: Date
}

/**
 * Connects a user with the creator of a link and counts the use. Throws `friend_link_invalid` if the
 * link was revoked meanwhile; the transaction must then be rolled back.
 */
export async function connect(
  deps: Pick<FriendsDeps, 'presence'>,
  tx: Tx,
  announce: Announce,
  link: LockedLink,
  { userId, signedUp, now, validAt }: Connecting,
): Promise<AcceptedFriendLink['status']> {
  const { status, creates } = outcomeOf(link, userId)
  if (creates === null) return status
  const [isTaken] = await Promise.all([
    link.is_used || takeUse(tx, { linkId: link.id, userId, signedUp, now, validAt }),
    creates === 'friendship'
      ? becomeFriends(deps, tx, announce, link, userId, now)
      : sendRequest(tx, announce, { fromId: userId, toId: link.user_id }, now),
  ])
  if (!isTaken) throw new Refusal('friend_link_invalid')
  return status
}

async function becomeFriends(
  deps: Pick<FriendsDeps, 'presence'>,
  tx: Tx,
  announce: Announce,
  { user_id: creatorId, kind, request_id: requestId }: LockedLink,
  userId: LockedUser,
  now: Date,
): Promise<void> {
  const pair = { requesterId: userId, requestedId: creatorId }
  const { id } = await startFriendship(deps, tx, announce, { ...pair, requestId }, now)
  // The creator of a QR code looks at the screen that shows it.
  if (kind === 'link') announce.publish({ kind: 'friend_link_used', friendshipId: id, creatorId, at: now })
}
