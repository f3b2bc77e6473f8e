import { friendRequest } from './friend-request.ts'
import type { Kind, PushKind } from './kind.ts'
import { message } from './message.ts'
import { messageReaction } from './message-reaction.ts'
import { newPing } from './new-ping.ts'
import { pingActivated } from './ping-activated.ts'
import { pingChanged } from './ping-changed.ts'
import { pingReminder } from './ping-reminder.ts'
import { pingResponse } from './ping-response.ts'
import { pingTrip } from './ping-trip.ts'
import { security } from './security.ts'
import { test } from './test.ts'

/** All kinds of notifications. Those of the contract can be switched off. */
export const kinds: Readonly<Record<PushKind, Kind>> = {
  new_ping: newPing,
  ping_activated: pingActivated,
  ping_changed: pingChanged,
  ping_reminder: pingReminder,
  ping_response: pingResponse,
  ping_trip: pingTrip,
  message,
  message_reaction: messageReaction,
  friend_request: friendRequest,
  security,
  test,
}
