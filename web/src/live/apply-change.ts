import type { FeedChange } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { QueryClient } from '@tanstack/react-query'
import { applyChatChange, applyMessageChange, applyReactionChange, applyReceiptChange } from '../chat/chat.live.ts'
import { applyCircleChange } from '../circles/circles.live.ts'
import { announceFriendship } from '../friend-links/new-friends.ts'
import { applyFriendRequestChange, applyFriendshipChange, applyUserChange } from '../friends/friends.live.ts'
import { applyGuestChange, applyPingChange, applyPingResponseChange, applyTripChange } from '../pings/pings.live.ts'
import { applyImageChange, applyOwnUserChange } from '../profile/profile.live.ts'
import { updatePersonCopies } from './person-copies.ts'

/** Applies a change to the cached rows of its table. Idempotent. */
export function applyChange(queryClient: QueryClient, change: FeedChange, viewerId: UserId) {
  switch (change.table) {
    case 'users':
      applyOwnUserChange(change, viewerId)
      applyImageChange(queryClient, change)
      if (change.eventType !== 'DELETE') updatePersonCopies(queryClient, change.new)
      return applyUserChange(queryClient, change)
    case 'friend_requests':
      return applyFriendRequestChange(queryClient, change, viewerId)
    case 'friendships':
      announceFriendship(change, viewerId)
      return applyFriendshipChange(queryClient, change, viewerId)
    case 'location_pins':
      return applyPingChange(queryClient, change, viewerId)
    case 'ping_responses':
      return applyPingResponseChange(queryClient, change, viewerId)
    case 'ping_guests':
      return applyGuestChange(queryClient, change)
    case 'ping_trips':
      return applyTripChange(queryClient, change)
    case 'messages':
      return applyMessageChange(queryClient, change, viewerId)
    case 'message_reactions':
      return applyReactionChange(queryClient, change)
    case 'message_read_receipts':
      return applyReceiptChange(queryClient, change, viewerId)
    case 'chats':
      return applyChatChange(queryClient, change, viewerId)
    case 'circles':
      return applyCircleChange(queryClient)
    default:
      return change satisfies never
  }
}
