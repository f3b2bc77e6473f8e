import type {
  ConversationId,
  FriendRequestId,
  FriendshipId,
  MessageId,
  PingId,
  SessionId,
  UserId,
} from '@hither/contract/ids.ts'
import type { SecurityEventKind } from '@hither/contract/runtime/auth/security-events.ts'

/**
 * Events that a feature reports to features that it does not know. `at` is the time of the event. An event without
 * recipients may be published too.
 */
export type DomainEvent =
  | {
      readonly kind: 'ping_created'
      readonly pingId: PingId
      readonly inviteeIds: readonly UserId[]
      readonly at: Date
    }
  | {
      /** Friends were invited to a ping after it was created. */
      readonly kind: 'people_invited'
      readonly pingId: PingId
      readonly inviteeIds: readonly UserId[]
      readonly at: Date
    }
  | {
      /** The place or the start of a ping has changed. */
      readonly kind: 'ping_changed'
      readonly pingId: PingId
      /** Everybody who is going or maybe, with the time at which they are notified. */
      readonly people: readonly { readonly userId: UserId; readonly dueAt: Date }[]
      readonly at: Date
    }
  | {
      readonly kind: 'ping_canceled'
      readonly pingId: PingId
      /** Everybody who is going or maybe. */
      readonly userIds: readonly UserId[]
      readonly at: Date
    }
  | {
      /** A scheduled ping starts soon. */
      readonly kind: 'ping_starting'
      readonly pingId: PingId
      /** The owner and everybody who is going or maybe. */
      readonly userIds: readonly UserId[]
      readonly at: Date
    }
  | {
      readonly kind: 'ping_activated'
      readonly pingId: PingId
      /** The owner and the invitees. */
      readonly audience: readonly UserId[]
      readonly at: Date
    }
  | {
      readonly kind: 'ping_answered'
      readonly pingId: PingId
      readonly responderId: UserId
      readonly ownerId: UserId
      readonly at: Date
    }
  | {
      /** A person other than the owner of the ping shares a trip, or has arrived, for the first time. */
      readonly kind: 'trip_shared'
      readonly pingId: PingId
      readonly travelerId: UserId
      readonly ownerId: UserId
      readonly state: 'en_route' | 'arrived'
      readonly at: Date
    }
  | {
      /** Somebody who is not invited has answered a public ping. */
      readonly kind: 'guest_answered'
      readonly pingId: PingId
      readonly ownerId: UserId
      /** When the owner is notified. */
      readonly dueAt: Date
      readonly at: Date
    }
  | {
      readonly kind: 'message_sent'
      readonly conversationId: ConversationId
      readonly recipientIds: readonly UserId[]
      /** The time of the message in ISO 8601. It may be later than `at` if the clocks of two nodes differ. */
      readonly sentAt: string
      readonly at: Date
    }
  | {
      /** Somebody has reacted to the message of another person. */
      readonly kind: 'message_reacted'
      readonly conversationId: ConversationId
      readonly messageId: MessageId
      readonly authorId: UserId
      readonly at: Date
    }
  | {
      readonly kind: 'friend_requested'
      readonly requestId: FriendRequestId
      readonly recipientId: UserId
      readonly at: Date
    }
  | {
      /** A user became a friend of the creator of a friend link. */
      readonly kind: 'friend_link_used'
      readonly friendshipId: FriendshipId
      readonly creatorId: UserId
      readonly at: Date
    }
  | {
      /** A change to how an account can be entered. Sessions that it ends have ended before, at the same time `at`. */
      readonly kind: 'account_entry_changed'
      readonly userId: UserId
      readonly change: SecurityEventKind
      /** The session that made the change. */
      readonly exceptSessionId: SessionId | null
      readonly at: Date
    }
