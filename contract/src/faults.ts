import { authTexts } from './runtime/auth/auth.ts'
import { bannerTexts } from './runtime/banner.ts'
import { circleTexts } from './runtime/circles.ts'
import { fileTexts } from './runtime/files.ts'
import { guestTexts } from './runtime/guests.ts'
import { messageFaults, messageTexts } from './runtime/messages/messages.ts'
import { notificationTexts } from './runtime/notifications.ts'
import { pingTexts } from './runtime/pings.ts'
import { textTexts } from './runtime/texts.ts'
import { tripTexts } from './runtime/trips.ts'
import { userTexts } from './runtime/users.ts'

/**
 * The errors of fields that break a rule of the product, by code, with their sentences. The server throws a code. A published code is
 * never renamed or given to another rule.
 */
export const faults = {
  ...messageFaults,
  email_unreachable: authTexts.emailUnreachable,
  password_too_common: authTexts.passwordTooCommon,
  name_hidden: textTexts.nameHidden,
  display_name_invalid: userTexts.displayNameInvalid,
  banner_text_invalid: bannerTexts.textInvalid,
  banner_end_invalid: bannerTexts.endInvalid,
  circle_name_invalid: circleTexts.nameInvalid,
  no_members: circleTexts.noMembers,
  members_not_friends: circleTexts.membersNotFriends,
  too_many_circle_members: circleTexts.tooManyMembers,
  ping_name_missing: pingTexts.nameMissing,
  ping_name_too_long: pingTexts.nameTooLong,
  schedule_invalid: pingTexts.scheduleInvalid,
  no_recipients: pingTexts.noRecipients,
  no_friends: pingTexts.noFriends,
  recipients_not_friends: pingTexts.recipientsNotFriends,
  coordinate_missing: pingTexts.coordinateMissing,
  change_unclear: pingTexts.changeUnclear,
  cancel_message_too_long: pingTexts.cancelMessageTooLong,
  guest_name_invalid: guestTexts.nameInvalid,
  eta_out_of_range: tripTexts.etaOutOfRange,
  group_incomplete: messageTexts.groupIncomplete,
  group_name_invalid: messageTexts.nameInvalid,
  participants_not_invited: messageTexts.participantsNotInvited,
  conversation_differs: messageTexts.conversationDiffers,
  page_ambiguous: messageTexts.pageAmbiguous,
  time_zone_unknown: notificationTexts.timeZoneUnknown,
  quiet_hours_empty: notificationTexts.quietHoursEmpty,
  mute_over: notificationTexts.muteOver,
  push_endpoint_invalid: notificationTexts.endpointInvalid,
  push_keys_invalid: notificationTexts.keysInvalid,
  image_too_large: fileTexts.imageTooManyPixels,
  image_broken: fileTexts.imageBroken,
  too_many_files: 'Only one file can be sent',
  unexpected_file: 'The file must be sent in the field "file"',
  file_missing: 'Field required',
  multipart_incomplete: 'The body ended too early',
  multipart_invalid: 'The body is not valid multipart form data',
  json_invalid: 'The body is not valid JSON',
  locale_unknown: 'Please choose one of the listed languages.',
} as const satisfies Record<string, string>

/** The errors of fields that do not have the form of the schema. Their sentences name the limit of the field. */
export const generalFaultCodes = [
  'field_required',
  'wrong_type',
  'not_allowed_value',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'invalid_format',
  'invalid',
] as const
export type GeneralFaultCode = (typeof generalFaultCodes)[number]

export type FaultCode = keyof typeof faults
