import { type Static, Type } from 'typebox'
import { ConversationId, PingId, RecipientId, UserId } from './ids.ts'
import { type Operation } from './operation.ts'
import { Bytes, InstantInput, NoContent, nullable, oneOf, Timestamp, text } from './values.ts'

export const pingLimits = {
  nameMax: 50,
  messageMax: 500,
  addressMax: 300,
  durationsMinutes: [15, 30, 60, 120, 240],
  durationDefaultMinutes: 30,
  extensionsMinutes: [15, 30, 60],
  /** From activation to the end, however often it was extended. */
  lifeMaxMinutes: 240,
  scheduleHorizonMs: 2_592_000_000,
  unexpiredPerUser: 50,
  /** A request is known again for so long. */
  clientIdKeptMs: 2_592_000_000,
  recipientsMax: 5000,
  /** Of the caller's own, which fits all that have not expired. */
  ownPageMax: 100,
} as const

/** What a quick pin is made with: everything else takes the defaults of a new ping. */
export const quickPin = { name: 'My Pin', duration_minutes: 30, is_public: false, responses_visible: true } as const

export const pingTexts = {
  nameMissing: 'Please enter a name for your ping.',
  nameTooLong: 'Ping name must be 50 characters or less.',
  locationMissing: 'Location not available. Please enable location services.',
  noRecipients: 'Please select at least one friend to notify.',
  noFriends: 'No friends available. Please add some friends first!',
  scheduleInvalid: 'Please enter a valid future date and time (within 30 days).',
  recipientsNotFriends: 'You can only send a ping to your friends.',
  loadFailed: 'Failed to load pings',
  loadMineFailed: 'Failed to load your pings',
  createFailed: 'Failed to create ping',
  deleteFailed: 'Failed to delete ping',
  noPingReturned: 'Ping creation failed - no ping data returned',
  loadOneFailed: 'Failed to load pin details',
  respondFailed: 'Failed to submit response',
  removeResponseFailed: 'Failed to remove response',
  idMissing: 'Pin ID not provided',
  copied: 'Pin link copied to clipboard!',
  copyFailed: 'Failed to copy link to clipboard',
  changeUnclear: 'Please choose either how many minutes to add or to end the ping now.',
  extendFailed: 'Failed to add time to this ping',
  endFailed: 'Failed to end ping',
  calendarFailed: 'Failed to load the calendar entry',
} as const

export const PingStatus = oneOf(['pending', 'active', 'expired'])
export type PingStatus = Static<typeof PingStatus>

export const ResponseType = oneOf(['accepted', 'tentative', 'declined'])
export type ResponseType = Static<typeof ResponseType>

export const PingResponse = Type.Object({
  ping_id: PingId,
  user_id: UserId,
  username: Type.String(),
  response_type: ResponseType,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type PingResponse = Static<typeof PingResponse>

/** `has_seen` is given to the owner, and to an invitee about themselves. */
export const Recipient = Type.Object({
  id: RecipientId,
  recipient_id: UserId,
  recipient_username: Type.String(),
  has_seen: Type.Optional(Type.Boolean()),
})
export type Recipient = Static<typeof Recipient>

const shownToAnyone = {
  id: PingId,
  username: Type.String(),
  name: Type.String(),
  latitude: Type.Number(),
  longitude: Type.Number(),
  address: nullable(Type.String()),
  created_at: Timestamp,
  activates_at: nullable(Timestamp),
  expires_at: Timestamp,
  status: PingStatus,
  is_public: Type.Boolean(),
  has_image: Type.Boolean(),
}

/** All that a visitor without an account, or a link-preview bot, may know of a public ping: this list and nothing else. */
export const AnonymousPing = Type.Object(shownToAnyone)
export type AnonymousPing = Static<typeof AnonymousPing>

/** All of it that a link preview is made of. */
export type PreviewedPing = Pick<AnonymousPing, 'id' | 'name' | 'username' | 'activates_at' | 'expires_at' | 'status'>

const shownToSignedIn = {
  ...shownToAnyone,
  user_id: UserId,
  user_has_image: Type.Boolean(),
  message: nullable(Type.String()),
  responses_visible: Type.Boolean(),
  conversation_id: nullable(ConversationId),
}

/** What the feed `location_pins` carries: a ping less what differs from one viewer to another. */
export const PingRow = Type.Object(shownToSignedIn)
export type PingRow = Static<typeof PingRow>

/** To a signed-in stranger with a public link, `recipients` and `responses` are absent. */
export const PublicPing = Type.Object(shownToSignedIn)
export type PublicPing = Static<typeof PublicPing>

/** `responses` holds all of them for those who may see them, else only the viewer's own. */
export const Ping = Type.Object({
  ...shownToSignedIn,
  recipients: Type.Array(Recipient),
  responses: Type.Array(PingResponse),
})
export type Ping = Static<typeof Ping>

export type DurationMinutes = (typeof pingLimits.durationsMinutes)[number]
export const DurationMinutes = Type.Unsafe<DurationMinutes>({ type: 'integer', enum: pingLimits.durationsMinutes })

export type ExtensionMinutes = (typeof pingLimits.extensionsMinutes)[number]
export const ExtensionMinutes = Type.Unsafe<ExtensionMinutes>({ type: 'integer', enum: pingLimits.extensionsMinutes })

/** One of the two. */
export const ChangePing = Type.Object({
  extend_minutes: Type.Optional(ExtensionMinutes),
  end: Type.Optional(Type.Literal(true)),
})
export type ChangePing = Static<typeof ChangePing>

export const CreatePing = Type.Object({
  /** Its length is judged by a rule, which has a sentence of its own. */
  name: text({ maxLength: 80 * pingLimits.nameMax }),
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
  duration_minutes: Type.Optional(DurationMinutes),
  message: Type.Optional(nullable(text({ maxLength: pingLimits.messageMax }))),
  address: Type.Optional(nullable(text({ maxLength: pingLimits.addressMax }))),
  /** Omitted: all friends of the moment. */
  recipient_ids: Type.Optional(nullable(Type.Array(UserId, { maxItems: pingLimits.recipientsMax }))),
  is_public: Type.Optional(Type.Boolean()),
  responses_visible: Type.Optional(Type.Boolean()),
  activates_at: Type.Optional(nullable(InstantInput)),
  /** Made by the sender, so that a request can be repeated that was not answered. */
  client_id: Type.Optional(nullable(Type.String({ format: 'uuid' }))),
})
export type CreatePing = Static<typeof CreatePing>

const PingParam = Type.Object({ id: PingId })

export const createPing = {
  method: 'POST',
  path: '/pings/',
  tag: 'pings',
  summary: 'Drop a pin; a repeated client_id answers with the first one, and 200',
  auth: 'required',
  body: CreatePing,
  replies: { 200: Ping, 201: Ping },
  refusals: ['too_many_pings', 'ping_not_found'],
  rateLimits: [{ by: 'person', max: 100, seconds: 3600 }],
} as const satisfies Operation

export const listPings = {
  method: 'GET',
  path: '/pings/',
  tag: 'pings',
  summary:
    'Pending and active pings that the caller owns or is invited to by a friend; active first, then newest first',
  auth: 'required',
  replies: { 200: Type.Array(Ping) },
} as const satisfies Operation

export const listMyPings = {
  method: 'GET',
  path: '/pings/my-pings',
  tag: 'pings',
  summary:
    "The caller's own: active, then pending by activation, then expired, newest first; `before` an expired one, those after it",
  auth: 'required',
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pingLimits.ownPageMax })),
    before: Type.Optional(PingId),
  }),
  replies: { 200: Type.Array(Ping) },
} as const satisfies Operation

export const getPing = {
  method: 'GET',
  path: '/pings/:id',
  tag: 'pings',
  summary: 'One ping, as far as the caller may see it',
  auth: 'optional',
  params: PingParam,
  // The widest shape first: the serialiser takes the first that fits.
  replies: { 200: Type.Union([Ping, PublicPing, AnonymousPing]) },
  refusals: ['ping_not_found'],
  rateLimits: [{ by: 'visitor', max: 300, seconds: 60 }],
} as const satisfies Operation

export const changePing = {
  method: 'PATCH',
  path: '/pings/:id',
  tag: 'pings',
  summary: 'Add time to an own active ping, up to four hours from its activation, or end it now',
  auth: 'required',
  params: PingParam,
  body: ChangePing,
  replies: { 200: Ping },
  refusals: ['ping_not_found', 'ping_not_changeable', 'ping_not_active', 'ping_life_exceeded'],
  rateLimits: [{ by: 'person', max: 200, seconds: 3600 }],
} as const satisfies Operation

export const getPingCalendar = {
  method: 'GET',
  path: '/pings/:id/calendar.ics',
  tag: 'pings',
  summary: 'A scheduled ping as a calendar entry, for whoever may see the ping',
  auth: 'optional',
  params: PingParam,
  content: 'text/calendar; charset=utf-8',
  download: 'ping.ics',
  replies: { 200: Bytes },
  refusals: ['ping_not_found', 'ping_not_scheduled'],
  rateLimits: [{ by: 'visitor', max: 60, seconds: 60 }],
} as const satisfies Operation

export const getPingPreview = {
  method: 'GET',
  path: '/pings/:id/preview.png',
  tag: 'pings',
  summary: 'The picture that messengers show beside a public link; of any other id, the one of the product',
  auth: 'none',
  params: PingParam,
  content: 'image/png',
  replies: { 200: Bytes },
  refusals: ['server_busy'],
  rateLimits: [{ by: 'address', max: 120, seconds: 60 }],
} as const satisfies Operation

export const deletePing = {
  method: 'DELETE',
  path: '/pings/:id',
  tag: 'pings',
  summary: 'Delete an own ping',
  auth: 'required',
  params: PingParam,
  replies: { 204: NoContent },
  refusals: ['ping_not_found', 'ping_not_owned'],
} as const satisfies Operation

export const deleteMyPing = {
  method: 'DELETE',
  path: '/pings/my-ping',
  tag: 'pings',
  summary: "Delete the caller's newest active ping",
  auth: 'required',
  replies: { 204: NoContent },
  refusals: ['no_active_ping'],
} as const satisfies Operation

export const respondToPing = {
  method: 'POST',
  path: '/pings/respond',
  tag: 'pings',
  summary: 'Answer a ping, or change the answer',
  auth: 'required',
  body: Type.Object({ ping_id: PingId, response_type: ResponseType }),
  replies: { 200: PingResponse },
  refusals: ['ping_not_found', 'not_invited', 'ping_expired'],
  rateLimits: [{ by: 'person', max: 300, seconds: 3600 }],
} as const satisfies Operation

export const removeResponse = {
  method: 'DELETE',
  path: '/pings/respond/:id',
  tag: 'pings',
  summary: "Take the caller's answer back; idempotent",
  auth: 'required',
  params: PingParam,
  replies: { 204: NoContent },
} as const satisfies Operation

export const listResponses = {
  method: 'GET',
  path: '/pings/:id/responses',
  tag: 'pings',
  summary: 'Who is coming, for those who may see it',
  auth: 'required',
  params: PingParam,
  replies: { 200: Type.Array(PingResponse) },
  refusals: ['ping_not_found', 'responses_hidden'],
} as const satisfies Operation
