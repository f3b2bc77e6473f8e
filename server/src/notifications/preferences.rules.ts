import {
  type NotificationPreferences,
  type NotificationPreferencesPatch,
  notificationTexts,
  type QuietHours,
} from '@hither/contract/notifications.ts'
import { fault, InvalidInput } from '../platform/refusal.ts'

/** What is left out of the patch stays as it is. */
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
  const faultOf = (field: string) => fault('body', 'quiet_hours', field)
  if (!isTimeZone(time_zone)) throw new InvalidInput(faultOf('time_zone')(notificationTexts.timeZoneUnknown))
  if (from === to) throw new InvalidInput(faultOf('to')(notificationTexts.quietHoursEmpty))
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
  // As text, which sorts as times of day do.
  const time = clock.format(now)
  return from < to ? from <= time && time < to : from <= time || time < to
}

/** A date that the calendar does not have is not ahead either. */
export function readMutedUntil(text: string | null, now: Date): Date | null {
  if (text === null) return null
  const mutedUntil = new Date(text)
  if (mutedUntil > now) return mutedUntil
  throw new InvalidInput(fault('body', 'muted_until')(notificationTexts.muteOver))
}
