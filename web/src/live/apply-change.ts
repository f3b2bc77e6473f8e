import { type FeedChange } from '@hither/contract/feeds.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { type QueryClient } from '@tanstack/react-query'
import { applyChatChange, applyMessageChange, applyReceiptChange, applyUserToChats } from '../chat/chat.live.ts'
import { applyFriendRequestChange, applyFriendshipChange, applyUserChange } from '../friends/friends.live.ts'
import { applyPingChange, applyPingResponseChange } from '../pings/pings.live.ts'
import { applyImageChange, applyOwnUserChange } from '../profile/profile.live.ts'

/**
 * Hands a change to the feature that keeps its table's rows in the query cache. Pure and idempotent like them. What is to be
 * asked for anew remains so: one change more does not make up for those it may have missed.
 */
export function applyChange(queryClient: QueryClient, change: FeedChange, viewerId: UserId) {
  const outdated = queryClient.getQueryCache().findAll({ predicate: ({ state }) => state.isInvalidated })
  handOver(queryClient, change, viewerId)
  for (const query of outdated) query.invalidate()
}

function handOver(queryClient: QueryClient, change: FeedChange, viewerId: UserId) {
  switch (change.table) {
    case 'users':
      applyOwnUserChange(change, viewerId)
      applyImageChange(queryClient, change)
      applyUserToChats(queryClient, change, viewerId)
      return applyUserChange(queryClient, change, viewerId)
    case 'friend_requests':
      return applyFriendRequestChange(queryClient, change, viewerId)
    case 'friendships':
      return applyFriendshipChange(queryClient, change, viewerId)
    case 'location_pins':
      return applyPingChange(queryClient, change, viewerId)
    case 'ping_responses':
      return applyPingResponseChange(queryClient, change, viewerId)
    case 'messages':
      return applyMessageChange(queryClient, change, viewerId)
    case 'message_read_receipts':
      return applyReceiptChange(queryClient, change, viewerId)
    case 'chats':
      return applyChatChange(queryClient, change, viewerId)
  }
}
