import type { FriendRequestId, FriendshipId } from '@hither/contract/ids.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import { findLinkFriend } from '../../friends/friendships.service.ts'
import { findWaitingRequest } from '../../friends/requests.service.ts'
import { type Kind, minuteMs } from './kind.ts'

type Subject = { readonly request_id: FriendRequestId } | { readonly friendship_id: FriendshipId }

/** A friend request, or a new friend by a friend link of the receiver. */
export const friendRequest: Kind<Subject> = {
  lifetimeMs: 72 * 60 * minuteMs,
  urgency: 'normal',
  events: {
    friend_requested: ({ requestId, recipientId, at }) => ({
      subject: { request_id: requestId },
      tag: `request:${requestId}`,
      happenedAt: at,
      to: { userIds: [recipientId], dueAt: at },
    }),
    friend_link_used: ({ friendshipId, creatorId, at }) => ({
      subject: { friendship_id: friendshipId },
      tag: `friendship:${friendshipId}`,
      happenedAt: at,
      to: { userIds: [creatorId], dueAt: at },
    }),
  },
  hiddenTitle: (t) => t('pushes.hidden.friend_request'),
  async find({ pool, t }, { user_id, subject }) {
    if ('friendship_id' in subject) {
      const friend = await findLinkFriend(pool, user_id, subject.friendship_id)
      if (!friend) return null
      const content = { title: shownName(friend), body: t('pushes.linkFriend'), url: '/friends', actions: [] }
      return { content, hiddenTitle: t('pushes.hidden.new_friend') }
    }
    const request = await findWaitingRequest(pool, user_id, subject.request_id)
    if (!request) return null
    const title = request.from_display_name ?? request.from_username
    return { content: { title, body: t('pushes.wantsToBeFriend'), url: '/friends?tab=received', actions: [] } }
  },
}
