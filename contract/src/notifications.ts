import { type Static, Type } from 'typebox'
import { ConversationId, type PingId, SessionId } from './ids.ts'
import { type Operation } from './operation.ts'
import { type ResponseType } from './pings.ts'
import { InstantInput, NoContent, nullable, Timestamp, text } from './values.ts'

export const notificationLimits = {
  endpointMax: 2048,
  /** Devices of one person; of more, the one longest unused is forgotten. */
  devicesPerUser: 20,
  timeZoneMax: 64,
  mutesPerUser: 1000,
} as const

/** What a person is told of by push, each to be switched off. */
export const notificationKinds = ['new_ping', 'ping_activated', 'ping_response', 'message', 'friend_request'] as const
export type NotificationKind = (typeof notificationKinds)[number]

export const notificationTexts = {
  endpointInvalid: 'This is not the address of a push service.',
  keysInvalid: 'These are not the keys of a push subscription.',
  timeZoneUnknown: 'Please choose a time zone such as Europe/Berlin.',
  quietHoursEmpty: 'Quiet hours must end at another time than they begin.',
  muteOver: 'Please choose a time that is yet to come.',
  subscribeFailed: 'Failed to turn on notifications',
  unsubscribeFailed: 'Failed to turn off notifications',
  loadFailed: 'Failed to load notification settings',
  saveFailed: 'Failed to save notification settings',
  muteFailed: 'Failed to mute conversation',
  testFailed: 'Failed to send a test notification',
} as const

/** As a browser's `PushSubscription.toJSON()` has it; whatever else that holds is not kept. */
export const PushSubscription = Type.Object({
  /** An https address in printable ASCII, as browsers give it. */
  endpoint: Type.String({ maxLength: notificationLimits.endpointMax, pattern: '^https?://[\\x21-\\x7e]+$' }),
  keys: Type.Object({
    p256dh: Type.String({ maxLength: 88, pattern: '^[A-Za-z0-9_-]{87}=?$' }),
    auth: Type.String({ maxLength: 24, pattern: '^[A-Za-z0-9_-]{22}={0,2}$' }),
  }),
})
export type PushSubscription = Static<typeof PushSubscription>

const Switch = Type.Boolean()
const kinds = {
  new_ping: Switch,
  ping_activated: Switch,
  ping_response: Switch,
  message: Switch,
  friend_request: Switch,
} satisfies Record<NotificationKind, typeof Switch>

const ClockTime = Type.String({ maxLength: 5, pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', examples: ['22:30'] })

/** Each day from `from` until before `to`, over midnight where `to` is the earlier, by the clock of the time zone. */
export const QuietHours = Type.Object({
  from: ClockTime,
  to: ClockTime,
  time_zone: text({ minLength: 1, maxLength: notificationLimits.timeZoneMax }),
})
export type QuietHours = Static<typeof QuietHours>

/**
 * Of a person, on all their devices. What falls into quiet hours is not told later either. `hide_details`: nothing but what
 * kind of thing it is, for lock screens.
 */
export const NotificationPreferences = Type.Object({
  kinds: Type.Object(kinds),
  quiet_hours: Type.Union([QuietHours, Type.Null()]),
  hide_details: Type.Boolean(),
})
export type NotificationPreferences = Static<typeof NotificationPreferences>

/** What is left out stays as it is. */
export const NotificationPreferencesPatch = Type.Object({
  kinds: Type.Optional(Type.Partial(Type.Object(kinds))),
  quiet_hours: Type.Optional(Type.Union([QuietHours, Type.Null()])),
  hide_details: Type.Optional(Type.Boolean()),
})
export type NotificationPreferencesPatch = Static<typeof NotificationPreferencesPatch>

/** `muted_until` is null where it is for good. */
export const ConversationMute = Type.Object({
  conversation_id: ConversationId,
  muted_until: nullable(Timestamp),
})
export type ConversationMute = Static<typeof ConversationMute>

/** What is held of it, for the person themselves: of where it goes, whose service that is. */
export const NotificationExport = Type.Object({
  preferences: NotificationPreferences,
  mutes: Type.Array(ConversationMute),
  devices: Type.Array(Type.Object({ session_id: SessionId, push_service: Type.String(), updated_at: Timestamp })),
})
export type NotificationExport = Static<typeof NotificationExport>

export const subscribeToPush = {
  method: 'PUT',
  path: '/notifications/subscription',
  tag: 'notifications',
  summary:
    "Send this session's notifications there, instead of wherever they went before; to be repeated at each start and whenever the browser renews it. An endpoint belongs to whoever named it last",
  auth: 'required',
  body: PushSubscription,
  replies: { 204: NoContent },
  rateLimits: [{ by: 'person', max: 60, seconds: 3600 }],
} as const satisfies Operation

export const unsubscribeFromPush = {
  method: 'DELETE',
  path: '/notifications/subscription',
  tag: 'notifications',
  summary: 'No more notifications for this session; idempotent. The end of the session does the same',
  auth: 'required',
  replies: { 204: NoContent },
} as const satisfies Operation

export const getNotificationPreferences = {
  method: 'GET',
  path: '/notifications/preferences',
  tag: 'notifications',
  summary: 'What the caller wants to be told, and when',
  auth: 'required',
  replies: { 200: NotificationPreferences },
} as const satisfies Operation

export const updateNotificationPreferences = {
  method: 'PATCH',
  path: '/notifications/preferences',
  tag: 'notifications',
  summary: 'Change some of it',
  auth: 'required',
  body: NotificationPreferencesPatch,
  replies: { 200: NotificationPreferences },
} as const satisfies Operation

const ConversationParam = Type.Object({ conversationId: ConversationId })

export const listMutes = {
  method: 'GET',
  path: '/notifications/mutes',
  tag: 'notifications',
  summary: 'The conversations of which the caller is told nothing at present',
  auth: 'required',
  replies: { 200: Type.Array(ConversationMute) },
} as const satisfies Operation

export const muteConversation = {
  method: 'PUT',
  path: '/notifications/mutes/:conversationId',
  tag: 'notifications',
  summary: 'Tell the caller nothing of this conversation until a time, or, for null, until they take it back',
  auth: 'required',
  params: ConversationParam,
  body: Type.Object({ muted_until: nullable(InstantInput) }),
  replies: { 200: ConversationMute },
  refusals: ['conversation_not_found'],
  rateLimits: [{ by: 'person', max: 300, seconds: 3600 }],
} as const satisfies Operation

export const unmuteConversation = {
  method: 'DELETE',
  path: '/notifications/mutes/:conversationId',
  tag: 'notifications',
  summary: 'Tell the caller of this conversation again; idempotent',
  auth: 'required',
  params: ConversationParam,
  replies: { 204: NoContent },
} as const satisfies Operation

export const sendTestNotification = {
  method: 'POST',
  path: '/notifications/test',
  tag: 'notifications',
  summary: "Send a test to this session's device, whatever the preferences; it goes in a moment",
  auth: 'required',
  replies: { 204: NoContent },
  refusals: ['push_not_subscribed'],
  rateLimits: [{ by: 'person', max: 10, seconds: 600 }],
} as const satisfies Operation

/** A button of a notification: `action` is the answer to the ping. */
export interface PushAction {
  readonly action: ResponseType
  readonly title: string
}

/**
 * What arrives at a device, as JSON. No coordinates, ever. Unknown fields are to be ignored and a missing one withstood: the
 * service worker may be older than the server, or younger.
 */
export interface PushPayload {
  readonly kind: NotificationKind | 'test'
  readonly title: string
  /** May be empty. */
  readonly body: string
  /** A later one with the same tag takes the place of an earlier one. */
  readonly tag: string
  /** Where a click leads: a path of the app, with a leading slash. */
  readonly url: string
  /** When what it tells of happened, in milliseconds since 1970. */
  readonly timestamp: number
  /** Empty unless it is a ping that the reader can answer. */
  readonly actions: readonly PushAction[]
  readonly ping_id?: PingId
  readonly conversation_id?: ConversationId
}
