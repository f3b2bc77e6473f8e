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

/** The columns that realtime filters can compare, with their types, and the columns that identify a row in a DELETE. */
export const feedColumns = {
  users: {
    key: ['id'],
    columns: { id: 'uuid', username: 'text', display_name: 'text', has_image: 'bool', is_online: 'bool' },
  },
  friend_requests: {
    key: ['id'],
    columns: {
      id: 'uuid',
      from_user_id: 'uuid',
      to_user_id: 'uuid',
      from_username: 'text',
      to_username: 'text',
      from_display_name: 'text',
      to_display_name: 'text',
      from_has_image: 'bool',
      to_has_image: 'bool',
      status: 'text',
      created_at: 'timestamptz',
    },
  },
  friendships: {
    key: ['id'],
    columns: {
      id: 'uuid',
      requester_id: 'uuid',
      requested_id: 'uuid',
      requester_username: 'text',
      requested_username: 'text',
      requester_display_name: 'text',
      requested_display_name: 'text',
      requester_has_image: 'bool',
      requested_has_image: 'bool',
      created_at: 'timestamptz',
    },
  },
  location_pins: {
    key: ['id'],
    columns: {
      id: 'uuid',
      user_id: 'uuid',
      username: 'text',
      display_name: 'text',
      user_has_image: 'bool',
      name: 'text',
      latitude: 'float8',
      longitude: 'float8',
      place_radius_m: 'int4',
      exact_place_for: 'text',
      area_km: 'int4',
      created_at: 'timestamptz',
      expires_at: 'timestamptz',
      activates_at: 'timestamptz',
      message: 'text',
      has_image: 'bool',
      status: 'text',
      address: 'text',
      is_public: 'bool',
      responses_visible: 'bool',
      guest_policy: 'text',
      conversation_id: 'uuid',
      updated_at: 'timestamptz',
      revision: 'int4',
      place_revision: 'int4',
      time_revision: 'int4',
      canceled_at: 'timestamptz',
      cancel_message: 'text',
    },
  },
  ping_responses: {
    key: ['ping_id', 'user_id'],
    columns: {
      ping_id: 'uuid',
      user_id: 'uuid',
      username: 'text',
      display_name: 'text',
      response_type: 'text',
      revision: 'int4',
      created_at: 'timestamptz',
      updated_at: 'timestamptz',
    },
  },
  ping_guests: {
    key: ['id'],
    columns: {
      id: 'uuid',
      ping_id: 'uuid',
      user_id: 'uuid',
      name: 'text',
      response_type: 'text',
      state: 'text',
      revision: 'int4',
      created_at: 'timestamptz',
      updated_at: 'timestamptz',
    },
  },
  ping_trips: {
    key: ['ping_id', 'user_id'],
    columns: {
      ping_id: 'uuid',
      user_id: 'uuid',
      username: 'text',
      state: 'text',
      arrives_at: 'timestamptz',
      started_at: 'timestamptz',
      updated_at: 'timestamptz',
    },
  },
  messages: {
    key: ['id', 'conversation_id'],
    columns: {
      id: 'uuid',
      conversation_id: 'uuid',
      sender_id: 'uuid',
      sender_username: 'text',
      sender_display_name: 'text',
      content: 'text',
      created_at: 'timestamptz',
      seq: 'int8',
      client_id: 'uuid',
      edited_at: 'timestamptz',
      reply_to: 'json',
      attachment: 'json',
    },
  },
  message_reactions: {
    key: ['message_id', 'user_id'],
    columns: {
      message_id: 'uuid',
      conversation_id: 'uuid',
      user_id: 'uuid',
      username: 'text',
      emoji: 'text',
      created_at: 'timestamptz',
    },
  },
  message_read_receipts: {
    key: ['conversation_id', 'user_id'],
    columns: { conversation_id: 'uuid', user_id: 'uuid', last_read_seq: 'int8', read_at: 'timestamptz' },
  },
  chats: {
    key: ['id', 'user_id'],
    columns: {
      id: 'uuid',
      user_id: 'uuid',
      name: 'text',
      type: 'text',
      role: 'text',
      updated_at: 'timestamptz',
      unread_count: 'int8',
      pinned_at: 'timestamptz',
      archived_at: 'timestamptz',
    },
  },
  circles: {
    key: ['id'],
    columns: {
      id: 'uuid',
      user_id: 'uuid',
      name: 'text',
      emoji: 'text',
      member_count: 'int4',
      updated_at: 'timestamptz',
    },
  },
} as const satisfies {
  [F in FeedName]: { key: readonly (keyof Feeds[F])[]; columns: Record<keyof Feeds[F], ColumnType> }
}

/** A filter cannot compare a column of type `json`. */
export type ColumnType = 'uuid' | 'text' | 'bool' | 'float8' | 'int4' | 'int8' | 'timestamptz' | 'json'

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
