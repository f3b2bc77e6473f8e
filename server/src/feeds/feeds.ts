import type { UserId } from '@hither/contract/ids.ts'
import type { GuestState } from '@hither/contract/pings.ts'
import { audienceOf, type FeedDeclarations } from '../events/feed-declaration.ts'
import { requoted } from './message-quotes.ts'

/** What the server must know about each change feed, see `FeedDeclaration`. */
export const feeds = {
  users: {
    table: 'users',
    parent: null,
    orderedBy: 'users',
    audience: ({ id, friendIds }: { id: UserId; friendIds: readonly UserId[] }) =>
      audienceOf('users', [id, ...friendIds]),
    erasure: { withAccount: 'deletes', inRestore: 'erased by tombstone' },
    outdated: null,
  },
  friend_requests: {
    table: 'friend_requests',
    parent: null,
    orderedBy: 'users',
    audience: (request: { from_user_id: UserId; to_user_id: UserId }) =>
      audienceOf('friend_requests', [request.from_user_id, request.to_user_id]),
    erasure: { withAccount: 'deletes', inRestore: 'restored' },
    outdated: null,
  },
  friendships: {
    table: 'friendships',
    parent: null,
    orderedBy: 'users',
    audience: (friendship: { requester_id: UserId; requested_id: UserId }) =>
      audienceOf('friendships', [friendship.requester_id, friendship.requested_id]),
    erasure: { withAccount: 'deletes', inRestore: 'erased by tombstone' },
    outdated: null,
  },
  location_pins: {
    table: 'location_pins',
    parent: null,
    orderedBy: 'ping owner',
    audience: (ping: { user_id: UserId; invitee_ids: readonly UserId[] }) =>
      audienceOf('location_pins', [ping.user_id, ...ping.invitee_ids]),
    erasure: { withAccount: 'deletes', inRestore: 'erased by tombstone' },
    outdated: {
      at: (row, userId, now, { placeKeepMs }) => {
        const endedForMs = now.getTime() - Date.parse(row.expires_at)
        if (row.place_radius_m !== null || endedForMs < 0) return false
        return endedForMs >= placeKeepMs || (row.exact_place_for !== 'everyone' && row.user_id !== userId)
      },
      elsewhere: null,
    },
  },
  ping_responses: {
    table: 'ping_responses',
    parent: { feed: 'location_pins', column: 'ping_id' },
    orderedBy: 'ping owner',
    audience: (response: { user_id: UserId }, ping: ResponseAudience) =>
      audienceOf('ping_responses', responseAudience(response, ping)),
    erasure: { withAccount: 'deletes', inRestore: 'erased with parent' },
    outdated: null,
  },
  ping_guests: {
    table: 'ping_guests',
    parent: { feed: 'location_pins', column: 'ping_id' },
    orderedBy: 'ping owner',
    audience: (guest: { state: GuestState }, ping: GuestAudience) =>
      audienceOf('ping_guests', guestAudience(guest, ping)),
    erasure: { withAccount: 'deletes', inRestore: 'erased by tombstone' },
    outdated: null,
  },
  ping_trips: {
    table: 'ping_trips',
    parent: { feed: 'location_pins', column: 'ping_id' },
    orderedBy: 'ping owner',
    audience: (trip: { user_id: UserId }, ping: TripAudience) => audienceOf('ping_trips', tripAudience(trip, ping)),
    erasure: { withAccount: 'deletes', inRestore: 'not in backups' },
    outdated: null,
  },
  messages: {
    table: 'messages',
    parent: { feed: 'chats', column: 'conversation_id' },
    orderedBy: 'conversation',
    audience: (chat: Members) => audienceOf('messages', memberIdsOf(chat)),
    erasure: { withAccount: 'anonymizes', inRestore: 'erased by tombstone' },
    outdated: { at: null, elsewhere: requoted },
  },
  message_reactions: {
    table: 'message_reactions',
    parent: { feed: 'messages', column: 'message_id', within: { feed: 'chats', column: 'conversation_id' } },
    orderedBy: 'conversation',
    audience: (chat: Members) => audienceOf('message_reactions', memberIdsOf(chat)),
    erasure: { withAccount: 'deletes', inRestore: 'erased with parent' },
    outdated: null,
  },
  message_read_receipts: {
    table: 'chat_members',
    parent: { feed: 'chats', column: 'conversation_id' },
    orderedBy: 'conversation',
    audience: (chat: Members) => audienceOf('message_read_receipts', memberIdsOf(chat)),
    erasure: { withAccount: 'deletes', inRestore: 'erased by tombstone' },
    outdated: null,
  },
  chats: {
    table: 'chat_members',
    parent: null,
    orderedBy: 'conversation',
    audience: (member: { user_id: UserId }) => audienceOf('chats', [member.user_id]),
    erasure: { withAccount: 'deletes', inRestore: 'erased by tombstone' },
    outdated: null,
  },
  circles: {
    table: 'circles',
    parent: null,
    orderedBy: 'users',
    audience: ({ user_id }: { user_id: UserId }) => audienceOf('circles', [user_id]),
    erasure: { withAccount: 'deletes', inRestore: 'erased by tombstone' },
    outdated: null,
  },
} as const satisfies FeedDeclarations

/** The data that decides who sees the responses to a ping. */
interface ResponseAudience {
  readonly user_id: UserId
  readonly responses_visible: boolean
  /** The invitees who see the ping. */
  readonly invitee_ids: readonly UserId[]
  /** The pairs of invitees of whom one has blocked the other. */
  readonly blocked_pairs: readonly (readonly [UserId, UserId])[]
}

/** An invitee's response is hidden from those who have blocked them or whom they have blocked. */
function responseAudience({ user_id: responderId }: { user_id: UserId }, ping: ResponseAudience): readonly UserId[] {
  if (!ping.invitee_ids.includes(responderId)) return []
  if (!ping.responses_visible) return [ping.user_id, responderId]
  const blocked = new Set(ping.blocked_pairs.filter((pair) => pair.includes(responderId)).flat())
  return [ping.user_id, ...ping.invitee_ids.filter((id) => id === responderId || !blocked.has(id))]
}

/** The data that decides who sees a guest of a ping. */
export interface GuestAudience {
  readonly user_id: UserId
  readonly responses_visible: boolean
  /** The invitees who see the ping. */
  readonly invitee_ids: readonly UserId[]
  /** The invitees who have blocked the guest or whom the guest has blocked. */
  readonly hidden_from: readonly UserId[]
}

/** Guests have no feed themselves. */
function guestAudience({ state }: { state: GuestState }, ping: GuestAudience): readonly UserId[] {
  if (state !== 'approved' || !ping.responses_visible) return [ping.user_id]
  return [ping.user_id, ...ping.invitee_ids.filter((id) => !ping.hidden_from.includes(id))]
}

/** The data that decides who sees a trip to a ping. */
export interface TripAudience {
  readonly user_id: UserId
  readonly responses_visible: boolean
  /** The invitees who see the ping and are going. */
  readonly going_ids: readonly UserId[]
  /** Everybody who has blocked the traveler or whom the traveler has blocked. */
  readonly hidden_from: readonly UserId[]
}

/** Only the owner and people who are going share a trip. They know the exact place of the ping in every case. */
function tripAudience({ user_id: travelerId }: { user_id: UserId }, ping: TripAudience): readonly UserId[] {
  if (travelerId !== ping.user_id && !ping.going_ids.includes(travelerId)) return []
  const others = ping.responses_visible ? ping.going_ids.filter((id) => !ping.hidden_from.includes(id)) : []
  return [ping.user_id, travelerId, ...others]
}

interface Members {
  readonly members: readonly { readonly user_id: UserId }[]
}

function memberIdsOf({ members }: Members): UserId[] {
  return members.map(({ user_id }) => user_id)
}
