import type { FriendRequestStatus } from './friends.ts'
import type { CircleId, ConversationId, FriendRequestId, FriendshipId, MessageId, PingId, UserId } from './ids.ts'
import type { Attachment, Reply } from './messages/message-parts.ts'
import type { ConversationType, ParticipantRole } from './messages/messages.ts'
import type { Reaction } from './messages/reactions.ts'
import type { Guest, PingRow, ResponseType } from './pings.ts'
import type { Trip } from './trips.ts'
import type { Timestamp } from './values.ts'

/** A user, as shown to friends. */
export interface UserRow {
  id: UserId
  username: string
  display_name: string | null
  has_image: boolean
  is_online: boolean
}

export interface FriendRequestRow {
  id: FriendRequestId
  from_user_id: UserId
  to_user_id: UserId
  from_username: string
  to_username: string
  from_display_name: string | null
  to_display_name: string | null
  from_has_image: boolean
  to_has_image: boolean
  status: FriendRequestStatus
  created_at: Timestamp
}

/** Contains what each of the two users needs to show the other. */
export interface FriendshipRow {
  id: FriendshipId
  requester_id: UserId
  requested_id: UserId
  requester_username: string
  requested_username: string
  requester_display_name: string | null
  requested_display_name: string | null
  requester_has_image: boolean
  requested_has_image: boolean
  created_at: Timestamp
}

interface PingResponseRow {
  ping_id: PingId
  user_id: UserId
  username: string
  display_name: string | null
  response_type: ResponseType
  revision: number
  created_at: Timestamp
  updated_at: Timestamp
}

/**
 * `sender_id` is null if the sender has deleted their account. The `old_record` of an edit has only `id` and
 * `conversation_id`.
 */
export interface MessageRow {
  id: MessageId
  conversation_id: ConversationId
  sender_id: UserId | null
  sender_username: string
  sender_display_name: string | null
  content: string
  created_at: Timestamp
  seq: number
  client_id: string | null
  edited_at: Timestamp | null
  reply_to: Reply | null
  attachment: Attachment | null
}

/** The last message that a participant has read. */
export interface MessageReadReceiptRow {
  conversation_id: ConversationId
  user_id: UserId
  last_read_seq: number
  read_at: Timestamp
}

/** A membership. `user_id` is the participant, and the only user who receives the changes of the row. */
export interface ChatRow {
  id: ConversationId
  user_id: UserId
  name: string | null
  type: ConversationType
  role: ParticipantRole
  updated_at: Timestamp
  unread_count: number
  pinned_at: Timestamp | null
  archived_at: Timestamp | null
  erase_at: Timestamp | null
  kept_at: Timestamp | null
  /** How many members have asked to keep the chat of a ping: 0 or 1, because it is kept with two of them. */
  keep_count: 0 | 1
}

/** A circle. Only its owner, `user_id`, receives it. */
export interface CircleRow {
  id: CircleId
  user_id: UserId
  name: string
  emoji: string | null
  member_count: number
  updated_at: Timestamp
}

/** The change feeds by table name, with the type of their `record`. */
export interface Feeds {
  users: UserRow
  friend_requests: FriendRequestRow
  friendships: FriendshipRow
  location_pins: PingRow
  ping_responses: PingResponseRow
  ping_guests: Guest
  ping_trips: Trip
  messages: MessageRow
  message_reactions: Reaction
  message_read_receipts: MessageReadReceiptRow
  chats: ChatRow
  circles: CircleRow
}

export type FeedName = keyof Feeds

/** All columns of each feed, and those that identify a row in a DELETE. */
export const feedColumns = {
  users: {
    key: ['id'],
    columns: { id: true, username: true, display_name: true, has_image: true, is_online: true },
  },
  friend_requests: {
    key: ['id'],
    columns: {
      id: true,
      from_user_id: true,
      to_user_id: true,
      from_username: true,
      to_username: true,
      from_display_name: true,
      to_display_name: true,
      from_has_image: true,
      to_has_image: true,
      status: true,
      created_at: true,
    },
  },
  friendships: {
    key: ['id'],
    columns: {
      id: true,
      requester_id: true,
      requested_id: true,
      requester_username: true,
      requested_username: true,
      requester_display_name: true,
      requested_display_name: true,
      requester_has_image: true,
      requested_has_image: true,
      created_at: true,
    },
  },
  location_pins: {
    key: ['id'],
    columns: {
      id: true,
      user_id: true,
      username: true,
      display_name: true,
      user_has_image: true,
      name: true,
      is_unnamed: true,
      latitude: true,
      longitude: true,
      place_radius_m: true,
      exact_place_for: true,
      area_km: true,
      created_at: true,
      expires_at: true,
      activates_at: true,
      message: true,
      has_image: true,
      status: true,
      address: true,
      is_public: true,
      responses_visible: true,
      guest_policy: true,
      conversation_id: true,
      updated_at: true,
      revision: true,
      place_revision: true,
      time_revision: true,
      canceled_at: true,
      cancel_message: true,
    },
  },
  ping_responses: {
    key: ['ping_id', 'user_id'],
    columns: {
      ping_id: true,
      user_id: true,
      username: true,
      display_name: true,
      response_type: true,
      revision: true,
      created_at: true,
      updated_at: true,
    },
  },
  ping_guests: {
    key: ['id'],
    columns: {
      id: true,
      ping_id: true,
      user_id: true,
      name: true,
      response_type: true,
      state: true,
      revision: true,
      created_at: true,
      updated_at: true,
    },
  },
  ping_trips: {
    key: ['ping_id', 'user_id'],
    columns: {
      ping_id: true,
      user_id: true,
      username: true,
      state: true,
      arrives_at: true,
      started_at: true,
      updated_at: true,
    },
  },
  messages: {
    key: ['id', 'conversation_id'],
    columns: {
      id: true,
      conversation_id: true,
      sender_id: true,
      sender_username: true,
      sender_display_name: true,
      content: true,
      created_at: true,
      seq: true,
      client_id: true,
      edited_at: true,
      reply_to: true,
      attachment: true,
    },
  },
  message_reactions: {
    key: ['message_id', 'user_id'],
    columns: {
      message_id: true,
      conversation_id: true,
      user_id: true,
      username: true,
      emoji: true,
      created_at: true,
    },
  },
  message_read_receipts: {
    key: ['conversation_id', 'user_id'],
    columns: { conversation_id: true, user_id: true, last_read_seq: true, read_at: true },
  },
  chats: {
    key: ['id', 'user_id'],
    columns: {
      id: true,
      user_id: true,
      name: true,
      type: true,
      role: true,
      updated_at: true,
      unread_count: true,
      pinned_at: true,
      archived_at: true,
      erase_at: true,
      kept_at: true,
      keep_count: true,
    },
  },
  circles: {
    key: ['id'],
    columns: {
      id: true,
      user_id: true,
      name: true,
      emoji: true,
      member_count: true,
      updated_at: true,
    },
  },
} as const satisfies {
  [F in FeedName]: { key: readonly (keyof Feeds[F])[]; columns: Record<keyof Feeds[F], true> }
}

export const feedNames = Object.keys(feedColumns) as FeedName[]

/** The path below `/api`. The official client appends `/websocket`. */
export const realtimePath = '/realtime/v1'

/** A `postgres_changes` event of one of the feeds, as the official client passes it to the app. */
export type FeedChange = {
  [F in FeedName]:
    | { table: F; eventType: 'INSERT' | 'UPDATE'; new: Feeds[F]; old: Partial<Feeds[F]> }
    | { table: F; eventType: 'DELETE'; new: Record<string, never>; old: Partial<Feeds[F]> }
}[FeedName]

/** The `extension` of a `system` event that asks the client to refetch everything, because it may have missed changes. */
export const resyncExtension = 'resync'

/**
 * The `extension` of a `system` event whose `position` is that up to which the client is complete. The client names it in its next
 * join, `resume: {after}`, unless it has handled a later change, whose position is its `commit_timestamp`.
 */
export const positionExtension = 'position'
