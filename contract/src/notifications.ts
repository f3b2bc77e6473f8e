import { type Static, Type } from 'typebox'
import { ConversationId, type PingId, SessionId } from './ids.ts'
import type { Operation } from './operation.ts'
import type { ResponseType } from './pings.ts'
import * as runtime from './runtime/notifications.ts'
import { InstantInput, NoContent, nullable, page, Timestamp, text } from './values.ts'

/** The result of a browser's `PushSubscription.toJSON()`. Other fields of it are not stored. */
export const PushSubscription = Type.Object({
  /** An https address in printable ASCII, as browsers return it. */
  endpoint: Type.String({ maxLength: runtime.notificationLimits.endpointMax, pattern: '^https?://[\\x21-\\x7e]+$' }),
  keys: Type.Object({
    p256dh: Type.String({ maxLength: 88, pattern: '^[A-Za-z0-9_-]{87}=?$' }),
    auth: Type.String({ maxLength: 24, pattern: '^[A-Za-z0-9_-]{22}={0,2}$' }),
  }),
})
export type PushSubscription = Static<typeof PushSubscription>

const Switch = Type.Boolean()
const kinds = Object.fromEntries(runtime.notificationKinds.map((kind) => [kind, Switch])) as Record<
  runtime.NotificationKind,
  typeof Switch
>

const ClockTime = Type.String({ maxLength: 5, pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', examples: ['22:30'] })

/** Every day from `from` (inclusive) to `to` (exclusive), in local time of the time zone. They span midnight if `to` is earlier than `from`. */
export const QuietHours = Type.Object({
  from: ClockTime,
  to: ClockTime,
  time_zone: text({ minLength: 1, maxLength: runtime.notificationLimits.timeZoneMax }),
})
export type QuietHours = Static<typeof QuietHours>

/**
 * The preferences apply to all devices of a user. Notifications during quiet hours are dropped, not delayed.
 * `hide_details` shows only the kind of the notification, for lock screens.
 */
export const NotificationPreferences = Type.Object({
  kinds: Type.Object(kinds),
  quiet_hours: Type.Union([QuietHours, Type.Null()]),
  hide_details: Type.Boolean(),
})
export type NotificationPreferences = Static<typeof NotificationPreferences>

/** Absent fields stay unchanged. */
export const NotificationPreferencesPatch = Type.Object({
  kinds: Type.Optional(Type.Partial(Type.Object(kinds))),
  quiet_hours: Type.Optional(Type.Union([QuietHours, Type.Null()])),
  hide_details: Type.Optional(Type.Boolean()),
})
export type NotificationPreferencesPatch = Static<typeof NotificationPreferencesPatch>

/** `muted_until` is null if the conversation is muted permanently. */
export const ConversationMute = Type.Object({
  conversation_id: ConversationId,
  muted_until: nullable(Timestamp),
})
export type ConversationMute = Static<typeof ConversationMute>

/** The stored notification data of the caller. Of an endpoint it names only the push service. */
export const NotificationExport = Type.Object({
  preferences: NotificationPreferences,
  mutes: Type.Array(ConversationMute),
  devices: Type.Array(Type.Object({ session_id: SessionId, push_service: Type.String(), updated_at: Timestamp })),
})
export type NotificationExport = Static<typeof NotificationExport>

export const subscribeToPush = {
  address: 'PUT /notifications/subscription',
  auth: 'required',
  tag: 'notifications',
  summary:
    'Subscribe this session to push notifications at this endpoint, which replaces its previous one; repeat this at each start and when the browser renews the subscription. An endpoint belongs to the session that registered it last',
  body: PushSubscription,
  replies: { 204: NoContent },
  rateLimits: [{ by: 'person', max: 60, seconds: 3600 }],
} as const satisfies Operation

export const unsubscribeFromPush = {
  address: 'DELETE /notifications/subscription',
  auth: 'required',
  tag: 'notifications',
  summary: 'Unsubscribe this session from push notifications; idempotent. Signing out does the same',
  replies: { 204: NoContent },
} as const satisfies Operation

export const getNotificationPreferences = {
  address: 'GET /notifications/preferences',
  auth: 'required',
  tag: 'notifications',
  summary: "Get the caller's notification settings",
  replies: { 200: NotificationPreferences },
} as const satisfies Operation

export const updateNotificationPreferences = {
  address: 'PATCH /notifications/preferences',
  auth: 'required',
  tag: 'notifications',
  summary: "Change some of the caller's notification settings",
  body: NotificationPreferencesPatch,
  replies: { 200: NotificationPreferences },
} as const satisfies Operation

const ConversationParam = Type.Object({ conversationId: ConversationId })

export const listMutes = {
  address: 'GET /notifications/mutes',
  auth: 'required',
  tag: 'notifications',
  summary: 'List the conversations that the caller has muted',
  query: page(ConversationId),
  replies: { 200: Type.Array(ConversationMute) },
} as const satisfies Operation

export const muteConversation = {
  address: 'PUT /notifications/mutes/:conversationId',
  auth: 'required',
  tag: 'notifications',
  summary: 'Mute a conversation for the caller until a time or, with null, until they unmute it',
  params: ConversationParam,
  body: Type.Object({ muted_until: nullable(InstantInput) }),
  replies: { 200: ConversationMute },
  refusals: ['conversation_not_found'],
  rateLimits: [{ by: 'person', max: 300, seconds: 3600 }],
} as const satisfies Operation

export const unmuteConversation = {
  address: 'DELETE /notifications/mutes/:conversationId',
  auth: 'required',
  tag: 'notifications',
  summary: 'Unmute a conversation for the caller; idempotent',
  params: ConversationParam,
  replies: { 204: NoContent },
} as const satisfies Operation

export const sendTestNotification = {
  address: 'POST /notifications/test',
  auth: 'required',
  tag: 'notifications',
  summary: "Send a test notification to this session's device, regardless of the settings",
  replies: { 204: NoContent },
  refusals: ['push_not_subscribed'],
  rateLimits: [{ by: 'person', max: 10, seconds: 600 }],
} as const satisfies Operation

/** A button of a notification. `action` is the response to the ping. */
export interface PushAction {
  readonly action: ResponseType
  readonly title: string
}

/**
 * The JSON that a device receives. It never contains coordinates. A receiver must ignore unknown fields and accept missing
 * ones, because the service worker may be older or newer than the server.
 */
export interface PushPayload {
  readonly kind: runtime.NotificationKind | 'security' | 'test'
  readonly title: string
  /** The body may be empty. */
  readonly body: string
  /** A later notification with the same tag replaces an earlier one. */
  readonly tag: string
  /** The path of the app that a click opens, with a leading slash. */
  readonly url: string
  /** When the event happened, in milliseconds since 1970. */
  readonly timestamp: number
  /** Empty unless the notification is about a ping that the receiver can respond to. */
  readonly actions: readonly PushAction[]
  readonly ping_id?: PingId
  /** The revision of the ping that the receiver sees, for a response by one of the actions. */
  readonly revision?: number
  readonly conversation_id?: ConversationId
}
