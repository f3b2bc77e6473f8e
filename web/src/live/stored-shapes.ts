import type { Session, SignInMethods } from '@hither/contract/auth/auth.ts'
import type { Banner } from '@hither/contract/banner.ts'
import type { Circle } from '@hither/contract/circles.ts'
import type { ClientConfig } from '@hither/contract/config.ts'
import type { BlockedUser, Friend, ReceivedRequest, SentRequest } from '@hither/contract/friends.ts'
import type { MapConfig } from '@hither/contract/maps.ts'
import type { ReactionGroup, Reply } from '@hither/contract/messages/message-parts.ts'
import type {
  Conversation,
  ConversationSummary,
  LastMessage,
  Message,
  Participant,
} from '@hither/contract/messages/messages.ts'
import type { ConversationMute, NotificationPreferences } from '@hither/contract/notifications.ts'
import type {
  AnonymousPing,
  Guest,
  InvitedPing,
  OwnPing,
  PingAudience,
  PingResponse,
  PlaceViewer,
  PublicPing,
  Recipient,
} from '@hither/contract/pings.ts'
import { notificationKinds } from '@hither/contract/runtime/notifications.ts'
import type { StoredData, StoredItem } from '@hither/contract/stored-data.ts'
import type { Trip } from '@hither/contract/trips.ts'
import type { PublicUser } from '@hither/contract/users.ts'
import type { OpenConversation } from '../chat/chat-changes.ts'

type Check = (value: unknown) => boolean

const text: Check = (value) => typeof value === 'string'
const number: Check = (value) => typeof value === 'number'
const flag: Check = (value) => typeof value === 'boolean'
const nullable =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)
/** Accepts fields that are not named: a newer server may send more. */
const fields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isRecord(value) && Object.entries(checks).every(([name, check]) => check(value[name]))

/** Names each field of a type of the contract, so that a field that the contract adds cannot be forgotten here. */
type FieldsOf<T> = Readonly<Record<keyof T, Check>>

const person = { username: text, display_name: nullable(text) }
const messageOfList = {
  id: text,
  conversation_id: text,
  chat_id: text,
  seq: number,
  sender_id: nullable(text),
  sender_username: text,
  sender_display_name: nullable(text),
  content: text,
  created_at: text,
  read: flag,
  client_id: nullable(text),
} as const
const lastMessage = { ...messageOfList, kind: text, shows: text } satisfies FieldsOf<LastMessage>
const reply = {
  id: text,
  seq: number,
  sender_id: nullable(text),
  sender_username: text,
  kind: text,
  shows: text,
  excerpt: nullable(text),
} satisfies FieldsOf<Reply>
const message = {
  ...messageOfList,
  edited_at: nullable(text),
  reply_to: nullable(fields(reply)),
  reactions: list(fields({ emoji: text, user_ids: list(text) } satisfies FieldsOf<ReactionGroup>)),
  attachment: nullable(fields({ type: text, caption: text })),
} satisfies FieldsOf<Message>
const summary = {
  id: text,
  name: nullable(text),
  type: text,
  ping_id: nullable(text),
  system_created: flag,
  created_at: text,
  updated_at: text,
  unread_count: number,
  last_message: nullable(fields(lastMessage)),
  direct_participant: nullable(fields({ ...person, user_id: text, has_image: flag })),
  pinned_at: nullable(text),
  archived_at: nullable(text),
  erase_at: nullable(text),
  kept_at: nullable(text),
  keep_requests: nullable(fields({ count: number, is_mine: flag })),
} satisfies FieldsOf<ConversationSummary>
const participant = {
  ...person,
  user_id: text,
  has_image: flag,
  role: text,
  last_read_seq: number,
} satisfies FieldsOf<Participant>
const conversation = { ...summary, participants: list(fields(participant)) } satisfies FieldsOf<Conversation>
const openConversation = {
  conversation: fields(conversation),
  messages: list(fields(message)),
  hasMore: flag,
  lastSeq: number,
  erased: list(text),
  // Not stored.
  window: (value) => value === null,
} satisfies FieldsOf<OpenConversation>

const guest = {
  id: text,
  ping_id: text,
  user_id: nullable(text),
  name: text,
  response_type: text,
  state: text,
  revision: number,
  created_at: text,
  updated_at: text,
} satisfies FieldsOf<Guest>
const trip = {
  ping_id: text,
  user_id: text,
  username: text,
  state: text,
  arrives_at: text,
  started_at: text,
  updated_at: text,
} satisfies FieldsOf<Trip>
const shownToAnyone = {
  ...person,
  access: text,
  can_respond: flag,
  id: text,
  name: text,
  is_unnamed: flag,
  latitude: number,
  longitude: number,
  address: nullable(text),
  place_radius_m: nullable(number),
  exact_place_for: text,
  area_km: number,
  created_at: text,
  activates_at: nullable(text),
  expires_at: text,
  status: text,
  is_public: flag,
  has_image: flag,
  guest_policy: text,
  updated_at: text,
  revision: number,
  place_revision: number,
  time_revision: number,
  canceled_at: nullable(text),
  cancel_message: nullable(text),
}
const shownToSignedIn = {
  ...shownToAnyone,
  user_id: text,
  user_has_image: flag,
  message: nullable(text),
  responses_visible: flag,
  conversation_id: nullable(text),
}
const recipient = {
  id: text,
  recipient_id: text,
  recipient_username: text,
  recipient_display_name: nullable(text),
  has_seen: optional(flag),
} satisfies FieldsOf<Recipient>
const response = {
  ...person,
  ping_id: text,
  user_id: text,
  response_type: text,
  revision: number,
  created_at: text,
  updated_at: text,
} satisfies FieldsOf<PingResponse>
const shownToAudience = {
  ...shownToSignedIn,
  recipients: list(fields(recipient)),
  responses: list(fields(response)),
  guests: list(fields(guest)),
  trips: list(fields(trip)),
} satisfies FieldsOf<InvitedPing>
const audience = {
  circle_ids: list(text),
  recipient_ids: list(text),
  former_friend_count: number,
} satisfies FieldsOf<PingAudience>
const placeViewer = {
  user_id: nullable(text),
  guest_id: nullable(text),
  name: nullable(text),
  first_at: text,
} satisfies FieldsOf<PlaceViewer>
const ownPing = {
  ...shownToAudience,
  invited_all: flag,
  audience: fields(audience),
  place_known_by: list(fields(placeViewer)),
} satisfies FieldsOf<OwnPing>
const publicPing = {
  ...shownToSignedIn,
  guest: nullable(fields(guest)),
  response_counts: nullable(fields({ accepted: number, tentative: number })),
} satisfies FieldsOf<PublicPing>
const anonymousPing = { ...shownToAnyone, avatar_color: number } satisfies FieldsOf<AnonymousPing>
const pings = { owner: ownPing, invitee: shownToAudience, link: publicPing, visitor: anonymousPing } as const
const ping =
  (...levels: (keyof typeof pings)[]): Check =>
  (value) =>
    isRecord(value) && levels.some((level) => value['access'] === level && fields(pings[level])(value))

const mapConfig = {
  own_streets: list(
    fields({
      name: text,
      tilejson_path: text,
      bounds: list(number),
      min_zoom: number,
      max_zoom: number,
      attribution: text,
    }),
  ),
  online: flag,
  online_streets: nullable(fields({ kind: text, url: text, attribution: nullable(text) })),
  satellite: list(
    fields({
      kind: text,
      url: text,
      bounds: nullable(list(number)),
      max_zoom: nullable(number),
      attribution: nullable(text),
    }),
  ),
  key: nullable(text),
} satisfies FieldsOf<MapConfig>

/** What a stored answer must look like, by the beginning of its query key. */
const shapes: Readonly<Record<string, Check>> = {
  config: fields({
    version: text,
    server_name: optional(nullable(text)),
    map: fields(mapConfig),
    geocoder: flag,
    directions_url: text,
    locales: optional(list(fields({ tag: text, name: text, dir: text, reviewed: flag }))),
    default_locale: optional(text),
    google_client_id: nullable(text),
    oidc: optional(nullable(fields({ name: text }))),
    push_key: nullable(text),
    registration: text,
    erasure: optional(fields({ chat_days: number, place_hours: number, ping_days: number })),
    features: fields({ confirm_email: flag, password_reset: flag, google: flag, push: flag }),
  } satisfies FieldsOf<ClientConfig>),
  banner: nullable(fields({ text, ends_at: text, updated_at: text } satisfies FieldsOf<Banner>)),
  'pings/list': list(ping('owner', 'invitee')),
  'pings/mine': list(ping('owner')),
  'pings/one': nullable(ping('owner', 'invitee', 'link', 'visitor')),
  'friends/list': list(
    fields({
      ...person,
      id: text,
      user_id: text,
      has_image: flag,
      is_online: flag,
      created_at: text,
    } satisfies FieldsOf<Friend>),
  ),
  'circles/list': list(
    fields({
      id: text,
      name: text,
      emoji: nullable(text),
      member_ids: list(text),
      created_at: text,
      updated_at: text,
    } satisfies FieldsOf<Circle>),
  ),
  'friends/received': list(
    fields({
      id: text,
      requester_id: text,
      requester_username: text,
      requester_display_name: nullable(text),
      has_image: flag,
      created_at: text,
    } satisfies FieldsOf<ReceivedRequest>),
  ),
  'friends/sent': list(
    fields({
      id: text,
      requested_id: text,
      requested_username: text,
      requested_display_name: nullable(text),
      has_image: flag,
      created_at: text,
    } satisfies FieldsOf<SentRequest>),
  ),
  'friends/person': nullable(
    fields({
      ...person,
      id: text,
      has_image: flag,
      created_at: text,
      is_online: optional(flag),
    } satisfies FieldsOf<PublicUser>),
  ),
  'chat/list': list(fields(summary)),
  'chat/one': nullable(fields(openConversation)),
  'profile/blocked': list(fields({ ...person, user_id: text, created_at: text } satisfies FieldsOf<BlockedUser>)),
  'profile/sessions': list(
    fields({
      id: text,
      created_at: text,
      last_used_at: text,
      device: nullable(text),
      is_current: flag,
      method: optional(text),
    } satisfies FieldsOf<Session>),
  ),
  'profile/sign-in-methods': fields({
    password: flag,
    google: flag,
    oidc: flag,
    passkeys: number,
    recovery_codes: number,
  } satisfies FieldsOf<SignInMethods>),
  'profile/stored-data': fields({
    as_of: text,
    backup_keep_days: nullable(number),
    items: list(
      fields({
        kind: text,
        count: number,
        oldest_at: nullable(text),
        erasure: text,
        first_erased_at: nullable(text),
        last_erased_at: nullable(text),
      } satisfies FieldsOf<StoredItem>),
    ),
  } satisfies FieldsOf<StoredData>),
  'notifications/preferences': fields({
    kinds: fields(Object.fromEntries(notificationKinds.map((kind) => [kind, flag]))),
    quiet_hours: nullable(isRecord),
    hide_details: flag,
  } satisfies FieldsOf<NotificationPreferences>),
  'notifications/mutes': list(
    fields({ conversation_id: text, muted_until: nullable(text) } satisfies FieldsOf<ConversationMute>),
  ),
}

/** Returns whether data that was stored on this device has the shape that the contract gives the answer to this query. */
export function isOfContract(queryKey: readonly unknown[], data: unknown): boolean {
  return shapes[queryKey.slice(0, 2).join('/')]?.(data) === true
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
