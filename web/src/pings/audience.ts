import type { Ping } from '@hither/contract/pings.ts'
import { listText } from '../i18n/format.ts'
import { t } from '../i18n/translate.ts'
import { dayAndTime, endTime, timeRange } from '../ui/format-time.ts'

interface Audience {
  /** The number of invited friends. */
  count: number
  isPublic: boolean
  startMs: number
  endMs: number
}

/** Describes who sees a ping and until when: "12 friends and anyone with the link, until 9:40 PM". */
export function audienceText({ count, isPublic, startMs, endMs }: Audience, nowMs: number): string {
  const time =
    startMs > nowMs ? timeRange(startMs, endMs, nowMs) : t('pings.audience.until', { time: endTime(endMs, nowMs) })
  return t('pings.audience.text', { people: peopleText(count, isPublic), time })
}

/** Like `audienceText`, for an existing ping. */
export function audienceOf({ recipients, is_public, activates_at, expires_at }: Ping, nowMs: number) {
  // A ping that was not scheduled has started, also if this device's clock is a second behind the server's.
  const [startMs, endMs] = [activates_at === null ? nowMs : Date.parse(activates_at), Date.parse(expires_at)]
  return audienceText({ count: recipients.length, isPublic: is_public, startMs, endMs }, nowMs)
}

/** "Shared with 12 friends until 9:40 PM", or "Scheduled for Mon 7:30 PM" before the start. */
export function sharedText({ recipients, is_public, activates_at, expires_at }: Ping, nowMs: number): string {
  if (activates_at !== null && Date.parse(activates_at) > nowMs)
    return t('pings.create.scheduledFor', { time: dayAndTime(activates_at, nowMs) })
  return t('pings.create.shared', { people: peopleText(recipients.length, is_public), end: endTime(expires_at, nowMs) })
}

function peopleText(count: number, isPublic: boolean): string {
  const people = [
    ...(count > 0 ? [t('pings.audience.friends', { count })] : []),
    ...(isPublic ? [t('pings.audience.anyone')] : []),
  ]
  return people.length === 0 ? t('pings.audience.onlyYou') : listText(people)
}
