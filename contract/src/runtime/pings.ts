import type { OwnPing, PlaceViewer } from '../pings.ts'
import { shownName } from './users.ts'

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
} as const

/** The values of a quick pin. All other fields take the defaults of a new ping. */
export const quickPin = {
  name: 'My Pin',
  is_unnamed: true,
  duration_minutes: 30,
  is_public: false,
  responses_visible: true,
} as const

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

/**
 * Who has been given the exact place of an own ping, together with the people who are going now if it is shown to them. Their
 * live rows show the owner that they have it.
 */
export function placeKnownBy(
  ping: Pick<OwnPing, 'place_known_by' | 'exact_place_for' | 'status' | 'responses' | 'guests' | 'updated_at'>,
): PlaceViewer[] {
  const { place_known_by: known } = ping
  if (ping.exact_place_for !== 'going' || ping.status === 'expired') return known
  const going = [
    ...ping.responses.map((response) => ({ ...response, guest_id: null, name: shownName(response), isGiven: true })),
    ...ping.guests.map((guest) => ({
      ...guest,
      guest_id: guest.user_id === null ? guest.id : null,
      isGiven: guest.state === 'approved',
    })),
  ].filter(({ response_type, isGiven }) => response_type === 'accepted' && isGiven)
  const isNew = (person: PlaceViewer) =>
    !known.some(({ user_id, guest_id }) => user_id === person.user_id && guest_id === person.guest_id)
  const added = going
    // The answer may be older than the setting of the ping.
    .map(({ user_id, guest_id, name, updated_at }) => ({
      ...{ user_id, guest_id, name },
      first_at: new Date(Math.max(Date.parse(updated_at), Date.parse(ping.updated_at))).toISOString(),
    }))
    .filter(isNew)
  return added.length === 0 ? known : [...known, ...added]
}

/** Under which browsers save the calendar entry of a ping. */
export const calendarFileName = 'ping.ics'
