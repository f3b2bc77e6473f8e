import { type Static, Type } from 'typebox'
import { AreaKm, ExactPlaceFor, ShownPlace } from './areas.ts'
import { CircleId, ConversationId, GuestId, PingId, RecipientId, UserId } from './ids.ts'
import { listBytesMax, type Operation } from './operation.ts'
import { circleLimits } from './runtime/circles.ts'
import * as runtime from './runtime/pings.ts'
import { Trip } from './trips.ts'
import {
  Bytes,
  InstantInput,
  Latitude,
  Longitude,
  NameInput,
  NoContent,
  nullable,
  oneOf,
  page,
  Timestamp,
  text,
} from './values.ts'

export const PingStatus = oneOf(['pending', 'active', 'expired'])
export type PingStatus = Static<typeof PingStatus>

export const ResponseType = oneOf(['accepted', 'tentative', 'declined'])
export type ResponseType = Static<typeof ResponseType>

/**
 * How often the place or the start of a ping has changed. A response has the revision of the ping that the person saw. One
 * with an earlier revision than the ping is outdated until the person responds again.
 */
const Revision = Type.Integer({ minimum: 0 })

/** The revision that a person saw when responding. If it is absent or later than the current revision, the current one counts. */
export const SeenRevision = Type.Optional(Type.Integer({ minimum: 0 }))

export const PingResponse = Type.Object({
  ping_id: PingId,
  user_id: UserId,
  username: Type.String(),
  display_name: nullable(Type.String()),
  response_type: ResponseType,
  revision: Revision,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type PingResponse = Static<typeof PingResponse>

/**
 * Who may respond to a public ping without being invited: nobody, anyone, or anyone after the owner has approved it. It has
 * no effect while the ping is not public.
 */
export const GuestPolicy = oneOf(['off', 'open', 'approval'])
export type GuestPolicy = Static<typeof GuestPolicy>

/** `waiting`: for the approval of the owner. */
export const GuestState = oneOf(['waiting', 'approved'])
export type GuestState = Static<typeof GuestState>

/** A person who responded to a public ping without being an invitee. A row of the feed `ping_guests`. */
export const Guest = Type.Object({
  id: GuestId,
  ping_id: PingId,
  user_id: nullable(UserId),
  name: Type.String({ description: 'The username of a guest with an account; otherwise the name that the guest gave' }),
  response_type: ResponseType,
  state: GuestState,
  revision: Revision,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Guest = Static<typeof Guest>

/**
 * A response that a person has just given. `is_guest` and `state` are present if they responded as a guest, `place` if the
 * exact place is shown to people who are going: it is the place that the person may know after this answer.
 */
export const GivenResponse = Type.Object({
  ...PingResponse.properties,
  place: Type.Optional(ShownPlace),
  is_guest: Type.Optional(Type.Literal(true)),
  state: Type.Optional(GuestState),
})
export type GivenResponse = Static<typeof GivenResponse>

/** The numbers of the invitees and approved guests with each answer. */
export const ResponseCounts = Type.Object({ accepted: Type.Integer(), tentative: Type.Integer() })
export type ResponseCounts = Static<typeof ResponseCounts>

/** `has_seen` is visible to the owner, and to an invitee about themselves. */
const Recipient = Type.Object({
  id: RecipientId,
  recipient_id: UserId,
  recipient_username: Type.String(),
  recipient_display_name: nullable(Type.String()),
  has_seen: Type.Optional(Type.Boolean()),
})
export type Recipient = Static<typeof Recipient>

/**
 * The level at which a viewer sees a ping: `owner`, `invitee`, `link` (signed in, with only the public link) or
 * `visitor` (the public link without an account). Each level has its own list of fields.
 */
export type PingAccess = ShownPing['access']

const shownToAnyone = {
  id: PingId,
  username: Type.String(),
  display_name: nullable(Type.String()),
  name: Type.String(),
  /** Whether the owner gave no name. `name` is then a default one in their language, for clients that do not know this field. */
  is_unnamed: Type.Boolean(),
  ...ShownPlace.properties,
  exact_place_for: ExactPlaceFor,
  area_km: AreaKm,
  created_at: Timestamp,
  activates_at: nullable(Timestamp),
  expires_at: Timestamp,
  status: PingStatus,
  is_public: Type.Boolean(),
  has_image: Type.Boolean(),
  guest_policy: GuestPolicy,
  updated_at: Type.Unsafe<Timestamp>({
    ...Timestamp,
    description: 'The time of the last change of the ping, its invitees or its picture; later with each change',
  }),
  revision: Revision,
  place_revision: Type.Integer({
    minimum: 0,
    description: 'The revision at which the place last changed; 0 for never',
  }),
  time_revision: Type.Integer({ minimum: 0, description: 'The revision at which the start last changed; 0 for never' }),
  canceled_at: nullable(Timestamp),
  cancel_message: nullable(Type.String()),
}

/** Differs between viewers, so it is not in the row of the feed. */
const forViewer = {
  can_respond: Type.Boolean({ description: 'Whether a response of this viewer would be accepted now' }),
}

/** The complete list of fields that a visitor without an account, or a link-preview bot, may see of a public ping. */
export const AnonymousPing = Type.Object({
  access: Type.Literal('visitor'),
  ...forViewer,
  ...shownToAnyone,
  avatar_color: Type.Integer({
    description: "The color of the owner's avatar, so that it is the same for every viewer",
  }),
})
export type AnonymousPing = Static<typeof AnonymousPing>

/** The fields that a link preview uses. */
export type PreviewedPing = Pick<
  AnonymousPing,
  'id' | 'name' | 'username' | 'display_name' | 'activates_at' | 'expires_at' | 'status'
>

const shownToSignedIn = {
  ...shownToAnyone,
  user_id: UserId,
  user_has_image: Type.Boolean(),
  message: nullable(Type.String()),
  responses_visible: Type.Boolean(),
  conversation_id: nullable(ConversationId),
}

/**
 * A row of the feed `location_pins`: a ping without the fields that differ between viewers, except that the place is the one
 * that the recipient may know.
 */
export const PingRow = Type.Object(shownToSignedIn)
export type PingRow = Static<typeof PingRow>

/** What a signed-in user with only the public link sees. `recipients` and `responses` are absent. */
export const PublicPing = Type.Object({
  access: Type.Literal('link'),
  ...forViewer,
  ...shownToSignedIn,
  guest: Type.Union([Guest, Type.Null()], { description: "The viewer's response as a guest" }),
  response_counts: Type.Union([ResponseCounts, Type.Null()], {
    description: 'For approved guests, if the owner shows the responses',
  }),
})
export type PublicPing = Static<typeof PublicPing>

const invitees = { maxItems: runtime.pingLimits.recipientsMax } as const

/**
 * `responses` contains all responses for viewers who may see them, otherwise only the viewer's own. `guests` contains all
 * guests for the owner, and the approved guests for invitees who may see the responses. `trips` contains the trips that the
 * viewer may see, also their own, by arrival.
 */
const shownToAudience = {
  ...shownToSignedIn,
  recipients: Type.Array(Recipient, invitees),
  responses: Type.Array(PingResponse, invitees),
  guests: Type.Array(Guest),
  trips: Type.Array(Trip, invitees),
}

/** Whom the owner has addressed. Only the owner receives it. */
export const PingAudience = Type.Object({
  circle_ids: Type.Array(CircleId, {
    maxItems: circleLimits.circlesMax,
    description: 'The circles that the ping was sent to and that still exist',
  }),
  recipient_ids: Type.Array(UserId, {
    ...invitees,
    description: 'The people who were named individually and are still friends',
  }),
  former_friend_count: Type.Integer({ description: 'How many invitees are not friends any more' }),
})
export type PingAudience = Static<typeof PingAudience>

/** A person who has been given the exact place. Only the owner receives it. */
export const PlaceViewer = Type.Object({
  user_id: nullable(UserId),
  guest_id: Type.Union([GuestId, Type.Null()], { description: 'Of a guest without account' }),
  name: nullable(Type.String({ description: 'Null for a deleted account' })),
  first_at: Timestamp,
})
export type PlaceViewer = Static<typeof PlaceViewer>

const placeKnownBy = Type.Array(PlaceViewer, {
  description:
    'Who has been given the exact place while it is shown to people who are going, also if they have taken their answer back; earliest first',
})

const invitedAll = Type.Boolean({ description: 'Whether the ping was sent to all friends when it was created' })

export const OwnPing = Type.Object({
  access: Type.Literal('owner'),
  ...forViewer,
  ...shownToAudience,
  invited_all: invitedAll,
  audience: PingAudience,
  place_known_by: placeKnownBy,
})
export type OwnPing = Static<typeof OwnPing>

/** A ping as an invitee who is still a friend of the owner sees it. */
export const InvitedPing = Type.Object({ access: Type.Literal('invitee'), ...forViewer, ...shownToAudience })
export type InvitedPing = Static<typeof InvitedPing>

/** A ping of a list. The schema is one object and not a union, because a union is slower to serialize. */
export const Ping = Type.Unsafe<Ping>(
  Type.Object({
    access: oneOf(['owner', 'invitee']),
    ...forViewer,
    ...shownToAudience,
    invited_all: Type.Optional(invitedAll),
    audience: Type.Optional(PingAudience),
    place_known_by: Type.Optional(placeKnownBy),
  }),
)
export type Ping = OwnPing | InvitedPing

/** A ping with the fields of the viewer's level. `access` decides which shape it has. */
export const ShownPing = Type.Union([OwnPing, InvitedPing, PublicPing, AnonymousPing])
export type ShownPing = Static<typeof ShownPing>

export type DurationMinutes = (typeof runtime.pingLimits.durationsMinutes)[number]
export const DurationMinutes = Type.Unsafe<DurationMinutes>({
  type: 'integer',
  enum: runtime.pingLimits.durationsMinutes,
})

const Message = nullable(text({ maxLength: runtime.pingLimits.messageMax }))
const PlaceAddress = nullable(text({ maxLength: runtime.pingLimits.addressMax }))

export type ExtensionMinutes = (typeof runtime.pingLimits.extensionsMinutes)[number]
export const ExtensionMinutes = Type.Unsafe<ExtensionMinutes>({
  type: 'integer',
  enum: runtime.pingLimits.extensionsMinutes,
})

/** Either `extend_minutes` or `end` alone, or at least one of the other fields. Absent fields stay unchanged. */
export const ChangePing = Type.Object({
  extend_minutes: Type.Optional(ExtensionMinutes),
  end: Type.Optional(Type.Literal(true)),
  name: Type.Optional(NameInput),
  message: Type.Optional(Message),
  /** Both coordinates or neither. A new place has no address unless one is sent with it. */
  latitude: Type.Optional(Latitude),
  longitude: Type.Optional(Longitude),
  address: Type.Optional(PlaceAddress),
  activates_at: Type.Optional(InstantInput),
  duration_minutes: Type.Optional(DurationMinutes),
  is_public: Type.Optional(Type.Boolean()),
  responses_visible: Type.Optional(Type.Boolean()),
  /** `open` also approves the guests who are waiting. */
  guest_policy: Type.Optional(GuestPolicy),
  exact_place_for: Type.Optional(ExactPlaceFor),
  area_km: Type.Optional(AreaKm),
  /** The `updated_at` of the ping that the caller has edited. If the ping has changed since then, nothing is saved. */
  expected_updated_at: Type.Optional(InstantInput),
})
export type ChangePing = Static<typeof ChangePing>

const RecipientIds = nullable(Type.Array(UserId, { maxItems: runtime.pingLimits.recipientsMax }))
/** Circles of the caller, resolved to their members on the server. Requires `recipient_ids`, which may be empty. */
const CircleIds = nullable(Type.Array(CircleId, { maxItems: circleLimits.circlesMax }))

export const CreatePing = Type.Object({
  name: NameInput,
  /** Whether `name` is only a default name in the language of the owner. A later change of the name ends it. */
  is_unnamed: Type.Optional(Type.Boolean()),
  latitude: Latitude,
  longitude: Longitude,
  duration_minutes: Type.Optional(DurationMinutes),
  message: Type.Optional(Message),
  address: Type.Optional(PlaceAddress),
  /** If absent, the ping is sent to all current friends. */
  recipient_ids: Type.Optional(RecipientIds),
  circle_ids: Type.Optional(CircleIds),
  is_public: Type.Optional(Type.Boolean()),
  responses_visible: Type.Optional(Type.Boolean()),
  guest_policy: Type.Optional(GuestPolicy),
  exact_place_for: Type.Optional(ExactPlaceFor),
  area_km: Type.Optional(AreaKm),
  activates_at: Type.Optional(nullable(InstantInput)),
  /** Generated by the client, so that it can safely repeat a request without a reply. */
  client_id: Type.Optional(nullable(Type.String({ format: 'uuid' }))),
})
export type CreatePing = Static<typeof CreatePing>

/** Together the circles and the people name at least one friend. */
export const InvitePeople = Type.Object({
  recipient_ids: Type.Optional(RecipientIds),
  circle_ids: Type.Optional(CircleIds),
})
export type InvitePeople = Static<typeof InvitePeople>

const PingParam = Type.Object({ id: PingId })

const timeFaults = { 'body.activates_at': { type: 'schedule_invalid', msg: runtime.pingTexts.scheduleInvalid } }

export const createPing = {
  address: 'POST /pings/',
  auth: 'required',
  tag: 'pings',
  summary: 'Create a ping; a repeated client_id returns the first ping with 200',
  body: CreatePing,
  bodyMaxBytes: listBytesMax,
  replies: { 200: OwnPing, 201: OwnPing },
  refusals: ['too_many_pings', 'ping_not_found', 'circle_not_found'],
  faults: timeFaults,
  rateLimits: [{ by: 'person', max: 100, seconds: 3600 }],
} as const satisfies Operation

export const listPings = {
  address: 'GET /pings/',
  auth: 'required',
  tag: 'pings',
  summary:
    'List pending and active pings that the caller owns or is invited to by a friend; active first, then newest first',
  query: Type.Object({
    ...page(PingId).properties,
    recipients: Type.Optional(
      Type.Literal('own', {
        description:
          'Leaves `recipients` empty in the pings of others, which halves the response; `GET /pings/{id}` has them',
      }),
    ),
  }),
  replies: { 200: Type.Array(Ping) },
} as const satisfies Operation

export const listMyPings = {
  address: 'GET /pings/my-pings',
  auth: 'required',
  tag: 'pings',
  summary:
    "List the caller's own pings: active, then pending by activation, then expired, newest first; with `before`, the expired pings that follow that ping",
  query: page(PingId),
  replies: { 200: Type.Array(OwnPing) },
} as const satisfies Operation

export const getPing = {
  address: 'GET /pings/:id',
  auth: 'optional',
  tag: 'pings',
  summary: 'Get a ping, with the fields that the caller may see',
  params: PingParam,
  replies: { 200: ShownPing },
  refusals: ['ping_not_found'],
  rateLimits: [{ by: 'visitor', max: 300, seconds: 60 }],
} as const satisfies Operation

export const changePing = {
  address: 'PATCH /pings/:id',
  auth: 'required',
  tag: 'pings',
  summary:
    "Extend the caller's active ping, up to four hours from its activation, end it now, or change other fields of a ping that has not ended",
  params: PingParam,
  body: ChangePing,
  replies: { 200: OwnPing },
  refusals: [
    'ping_not_found',
    'ping_not_changeable',
    'ping_not_active',
    'ping_life_exceeded',
    'ping_ended',
    'ping_edit_conflict',
    'ping_started',
    'too_many_moves',
  ],
  faults: timeFaults,
  rateLimits: [{ by: 'person', max: 200, seconds: 3600 }],
} as const satisfies Operation

export const invitePeople = {
  address: 'POST /pings/:id/recipients',
  auth: 'required',
  tag: 'pings',
  summary: "Invite more friends to the caller's ping; people who are already invited are skipped",
  params: PingParam,
  body: InvitePeople,
  bodyMaxBytes: listBytesMax,
  replies: { 200: OwnPing },
  refusals: ['ping_not_found', 'ping_not_changeable', 'ping_ended', 'circle_not_found'],
  rateLimits: [{ by: 'person', max: 60, seconds: 3600 }],
} as const satisfies Operation

export const removeInvitee = {
  address: 'DELETE /pings/:id/recipients/:userId',
  auth: 'required',
  tag: 'pings',
  summary:
    "Remove an invitee of the caller's ping with their response and their membership in its chat, without a notification; idempotent",
  params: Type.Object({ id: PingId, userId: UserId }),
  replies: { 204: NoContent },
  refusals: ['ping_not_found', 'ping_not_changeable', 'ping_ended'],
  rateLimits: [{ by: 'person', max: 300, seconds: 3600 }],
} as const satisfies Operation

export const cancelPing = {
  address: 'POST /pings/:id/cancel',
  auth: 'required',
  tag: 'pings',
  summary: "End the caller's scheduled or active ping and notify everybody who is going or maybe; idempotent",
  params: PingParam,
  body: Type.Object({
    /** A rule of the server checks the exact length after it has removed the space around the text. */
    message: Type.Optional(text({ maxLength: 80 * runtime.pingLimits.cancelMessageMax })),
  }),
  replies: { 200: OwnPing },
  refusals: ['ping_not_found', 'ping_not_changeable', 'ping_ended'],
  rateLimits: [{ by: 'person', max: 60, seconds: 3600 }],
} as const satisfies Operation

export const getPingCalendar = {
  address: 'GET /pings/:id/calendar.ics',
  auth: 'optional',
  content: 'text/calendar; charset=utf-8',
  download: runtime.calendarFileName,
  tag: 'pings',
  summary: 'Get a scheduled ping as a calendar entry, for callers who may see the ping and its exact place',
  params: PingParam,
  replies: { 200: Bytes },
  refusals: ['ping_not_found', 'ping_not_scheduled', 'place_hidden', 'guest_not_found'],
  rateLimits: [{ by: 'visitor', max: 60, seconds: 60 }],
} as const satisfies Operation

export const getPingPreview = {
  address: 'GET /pings/:id/preview.png',
  auth: 'none',
  content: 'image/png',
  tag: 'pings',
  summary: 'Get the preview picture of a public link; for any other id, the default picture',
  params: PingParam,
  replies: { 200: Bytes },
  refusals: ['server_busy'],
  rateLimits: [{ by: 'address', max: 120, seconds: 60 }],
} as const satisfies Operation

export const deletePing = {
  address: 'DELETE /pings/:id',
  auth: 'required',
  tag: 'pings',
  summary: "Delete the caller's own ping",
  params: PingParam,
  replies: { 204: NoContent },
  refusals: ['ping_not_found', 'ping_not_owned'],
} as const satisfies Operation

export const deleteMyPing = {
  address: 'DELETE /pings/my-ping',
  auth: 'required',
  tag: 'pings',
  summary: "Delete the caller's newest active ping",
  replies: { 204: NoContent },
  refusals: ['no_active_ping'],
} as const satisfies Operation

export const respondToPing = {
  address: 'POST /pings/respond',
  auth: 'required',
  tag: 'pings',
  summary: 'Respond to a ping as an invitee or, if the ping allows guests, as a guest; or change the response',
  body: Type.Object({ ping_id: PingId, response_type: ResponseType, revision: SeenRevision }),
  replies: { 200: GivenResponse },
  refusals: ['ping_not_found', 'not_invited', 'ping_expired', 'guests_not_allowed', 'guests_full'],
  rateLimits: [{ by: 'person', max: 300, seconds: 3600 }],
} as const satisfies Operation

export const removeResponse = {
  address: 'DELETE /pings/respond/:id',
  auth: 'required',
  tag: 'pings',
  summary: "Remove the caller's response, also as a guest; idempotent",
  params: PingParam,
  replies: { 204: NoContent },
} as const satisfies Operation

export const listResponses = {
  address: 'GET /pings/:id/responses',
  auth: 'required',
  tag: 'pings',
  summary: 'List the responses, for callers who may see them',
  params: PingParam,
  replies: { 200: Type.Array(PingResponse, invitees) },
  refusals: ['ping_not_found', 'responses_hidden'],
} as const satisfies Operation
