import type {
  NotificationPreferences,
  NotificationPreferencesPatch,
  QuietHours,
} from '@hither/contract/notifications.ts'
import { readInstant } from '@hither/contract/values.ts'
import { fieldError, InvalidInput } from '../platform/errors/refusal.ts'

/** Applies a patch. Fields that are not in the patch stay unchanged. */
export function changePreferences(
  before: NotificationPreferences,
  patch: NotificationPreferencesPatch,
): NotificationPreferences {
  if (patch.quiet_hours) assertQuietHours(patch.quiet_hours)
  return {
    kinds: { ...before.kinds, ...patch.kinds },
    quiet_hours: patch.quiet_hours === undefined ? before.quiet_hours : patch.quiet_hours,
    hide_details: patch.hide_details ?? before.hide_details,
  }
}

function assertQuietHours({ from, to, time_zone }: QuietHours): void {
  const fieldErrorOf = (field: string) => fieldError('body', 'quiet_hours', field)
  if (!isTimeZone(time_zone)) throw new InvalidInput(fieldErrorOf('time_zone')('time_zone_unknown'))
  if (from === to) throw new InvalidInput(fieldErrorOf('to')('quiet_hours_empty'))
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export function isQuiet(quietHours: QuietHours | null, now: Date): boolean {
  if (quietHours === null) return false
  const { from, to, time_zone: timeZone } = quietHours
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  // As text in the form HH:MM, which sorts like the times of day.
  const time = clock.format(now)
  return from < to ? from <= time && time < to : from <= time || time < to
}

export function readMutedUntil(text: string | null, now: Date): Date | null {
  if (text === null) return null
  const mutedUntil = readInstant(text)
  if (mutedUntil && mutedUntil > now) return mutedUntil
  throw new InvalidInput(fieldError('body', 'muted_until')('mute_over'))
}
