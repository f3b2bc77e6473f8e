import { type FriendRequestStatus } from './friends.ts'
import {
  type ConversationId,
  type FriendRequestId,
  type FriendshipId,
  type MessageId,
  type PingId,
  type UserId,
} from './ids.ts'
import { type ConversationType, type ParticipantRole } from './messages.ts'
import { type PingRow, type ResponseType } from './pings.ts'
import { type Timestamp } from './values.ts'

/** A person, as friends see one another live. */
export interface UserRow {
  id: UserId
  username: string
  has_image: boolean
  is_online: boolean
}

export interface FriendRequestRow {
  id: FriendRequestId
  from_user_id: UserId
  to_user_id: UserId
  from_username: string
  to_username: string
  from_has_image: boolean
  to_has_image: boolean
  status: FriendRequestStatus
  created_at: Timestamp
}

/** Carries what each of the two needs to show the other. */
export interface FriendshipRow {
  id: FriendshipId
  requester_id: UserId
  requested_id: UserId
  requester_username: string
  requested_username: string
  requester_has_image: boolean
  requested_has_image: boolean
  created_at: Timestamp
}

export interface PingResponseRow {
  ping_id: PingId
  user_id: UserId
  username: string
  response_type: ResponseType
  created_at: Timestamp
  updated_at: Timestamp
}

/** `sender_id` is null where the sender has deleted their account. */
export interface MessageRow {
  id: MessageId
  conversation_id: ConversationId
  sender_id: UserId | null
  sender_username: string
  content: string
  created_at: Timestamp
  seq: number
  client_id: string | null
}

/** How far a member has read. */
export interface MessageReadReceiptRow {
  conversation_id: ConversationId
  user_id: UserId
  last_read_seq: number
  read_at: Timestamp
}

/** A membership: `user_id` is the member it is of, and the only one who hears of it. */
export interface ChatRow {
  id: ConversationId
  user_id: UserId
  name: string | null
  type: ConversationType
  role: ParticipantRole
  updated_at: Timestamp
  unread_count: number
}

/** The change feeds by the name of their table: what a `record` holds. */
export interface Feeds {
  users: UserRow
  friend_requests: FriendRequestRow
  friendships: FriendshipRow
  location_pins: PingRow
  ping_responses: PingResponseRow
  messages: MessageRow
  message_read_receipts: MessageReadReceiptRow
  chats: ChatRow
}

export type FeedName = keyof Feeds

/** How a client may filter each column: what realtime filters compare, and the columns that name a row in a DELETE. */
export const feedColumns = {
  users: {
    key: ['id'],
    columns: { id: 'uuid', username: 'text', has_image: 'bool', is_online: 'bool' },
  },
  friend_requests: {
    key: ['id'],
    columns: {
      id: 'uuid',
      from_user_id: 'uuid',
      to_user_id: 'uuid',
      from_username: 'text',
      to_username: 'text',
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
      user_has_image: 'bool',
      name: 'text',
      latitude: 'float8',
      longitude: 'float8',
      created_at: 'timestamptz',
      expires_at: 'timestamptz',
      activates_at: 'timestamptz',
      message: 'text',
      has_image: 'bool',
      status: 'text',
      address: 'text',
      is_public: 'bool',
      responses_visible: 'bool',
      conversation_id: 'uuid',
    },
  },
  ping_responses: {
    key: ['ping_id', 'user_id'],
    columns: {
      ping_id: 'uuid',
      user_id: 'uuid',
      username: 'text',
      response_type: 'text',
      created_at: 'timestamptz',
      updated_at: 'timestamptz',
    },
  },
  messages: {
    key: ['id'],
    columns: {
      id: 'uuid',
      conversation_id: 'uuid',
      sender_id: 'uuid',
      sender_username: 'text',
      content: 'text',
      created_at: 'timestamptz',
      seq: 'int8',
      client_id: 'uuid',
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
    },
  },
} as const satisfies {
  [F in FeedName]: { key: readonly (keyof Feeds[F])[]; columns: Record<keyof Feeds[F], ColumnType> }
}

export type ColumnType = 'uuid' | 'text' | 'bool' | 'float8' | 'int8' | 'timestamptz'

export const feedNames = Object.keys(feedColumns) as FeedName[]

/** Below `/api`; the official client appends `/websocket`. */
export const realtimePath = '/realtime/v1'

/** A `postgres_changes` event as the official client hands it to the app, for a table of ours. */
export type FeedChange = {
  [F in FeedName]:
    | { table: F; eventType: 'INSERT' | 'UPDATE'; new: Feeds[F]; old: Partial<Feeds[F]> }
    | { table: F; eventType: 'DELETE'; new: Record<string, never>; old: Partial<Feeds[F]> }
}[FeedName]

/** The `extension` of a `system` event that tells the app to read everything anew: changes may have been missed. */
export const resyncExtension = 'resync'
