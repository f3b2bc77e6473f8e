import type { Address } from '../operation.ts'

export const pingLimits = {
  nameMax: 50,
  messageMax: 500,
  addressMax: 300,
  durationsMinutes: [15, 30, 60, 120, 240],
  durationDefaultMinutes: 30,
  extensionsMinutes: [15, 30, 60],
  /** The maximum time from activation to expiry, including all extensions. */
  lifeMaxMinutes: 240,
  scheduleHorizonMs: 2_592_000_000,
  unexpiredPerUser: 50,
  /** How long a repeated `client_id` is recognized. */
  clientIdRetentionMs: 2_592_000_000,
  recipientsMax: 5000,
  cancelMessageMax: 200,
  /** How often the place of an active ping may change. */
  activeMovesMax: 3,
  /** How long before its start people are reminded of a scheduled ping. */
  reminderMs: 900_000,
  /** There is no reminder of a start that was set less than this time ahead. */
  remindedAheadMinMs: 1_200_000,
  /** A reminder that is later than this time before the start is not sent. */
  reminderLeftMinMs: 120_000,
  /** The page size of the caller's own pings. It is larger than the limit of unexpired pings. */
  ownPageMax: 100,
} as const

/** The values of a quick pin. All other fields take the defaults of a new ping. */
export const quickPin = { name: 'My Pin', duration_minutes: 30, is_public: false, responses_visible: true } as const

/** The names of quick pins in all languages: each is in the language of its creator. */
export const quickPinNames: readonly string[] = [quickPin.name, 'Mein Pin', 'Mi pin', 'Mon épingle', 'دبوسي']

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
  coordinateMissing: 'Please send latitude and longitude together.',
  cancelMessageTooLong: 'The message must be 200 characters or less.',
  changeFailed: 'Failed to save changes',
  inviteFailed: 'Failed to invite friends',
  removeInviteeFailed: 'Failed to remove this person',
  cancelFailed: 'Failed to cancel pin',
} as const

export const createPing = {
  method: 'POST',
  path: '/pings/',
  auth: 'required',
} as const satisfies Address

export const listPings = {
  method: 'GET',
  path: '/pings/',
  auth: 'required',
} as const satisfies Address

export const listMyPings = {
  method: 'GET',
  path: '/pings/my-pings',
  auth: 'required',
} as const satisfies Address

export const getPing = {
  method: 'GET',
  path: '/pings/:id',
  auth: 'optional',
} as const satisfies Address

export const changePing = {
  method: 'PATCH',
  path: '/pings/:id',
  auth: 'required',
} as const satisfies Address

export const invitePeople = {
  method: 'POST',
  path: '/pings/:id/recipients',
  auth: 'required',
} as const satisfies Address

export const removeInvitee = {
  method: 'DELETE',
  path: '/pings/:id/recipients/:userId',
  auth: 'required',
} as const satisfies Address

export const cancelPing = {
  method: 'POST',
  path: '/pings/:id/cancel',
  auth: 'required',
} as const satisfies Address

export const getPingCalendar = {
  method: 'GET',
  path: '/pings/:id/calendar.ics',
  auth: 'optional',
  content: 'text/calendar; charset=utf-8',
  download: 'ping.ics',
} as const satisfies Address

export const getPingPreview = {
  method: 'GET',
  path: '/pings/:id/preview.png',
  auth: 'none',
  content: 'image/png',
} as const satisfies Address

export const deletePing = {
  method: 'DELETE',
  path: '/pings/:id',
  auth: 'required',
} as const satisfies Address

export const deleteMyPing = {
  method: 'DELETE',
  path: '/pings/my-ping',
  auth: 'required',
} as const satisfies Address

export const respondToPing = {
  method: 'POST',
  path: '/pings/respond',
  auth: 'required',
} as const satisfies Address

export const removeResponse = {
  method: 'DELETE',
  path: '/pings/respond/:id',
  auth: 'required',
} as const satisfies Address

export const listResponses = {
  method: 'GET',
  path: '/pings/:id/responses',
  auth: 'required',
} as const satisfies Address
