import type { AnonymousPing } from '@hither/contract/pings.ts'
import { nearPrefix } from '@hither/contract/runtime/geo.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { Translate } from '../../platform/languages/translator.ts'

/**
 * The fields of a ping that a calendar entry contains: no more than the caller may see. `message` is left out for
 * visitors.
 */
type CalendarPing = Pick<
  AnonymousPing,
  | 'id'
  | 'username'
  | 'display_name'
  | 'name'
  | 'latitude'
  | 'longitude'
  | 'address'
  | 'expires_at'
  | 'is_public'
  | 'updated_at'
  | 'revision'
  | 'canceled_at'
> & { activates_at: string; message?: string | null }

/** Returns an iCalendar file (RFC 5545). `url` is the page of the ping, `now` the time of writing. */
export function calendarOf(ping: CalendarPing, url: string, now: Date, t: Translate): string {
  const isCanceled = ping.canceled_at !== null
  const place = `${ping.latitude.toFixed(6)};${ping.longitude.toFixed(6)}`
  const about = [t('pushes.by', { name: shownName(ping) }), ping.message ?? '', url].filter((part) => part !== '')
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Hither//Hither//EN',
    'BEGIN:VEVENT',
    `UID:${ping.id}`,
    `DTSTAMP:${utc(now)}`,
    `LAST-MODIFIED:${utc(new Date(ping.updated_at))}`,
    `SEQUENCE:${ping.revision + (isCanceled ? 1 : 0)}`,
    ...(isCanceled ? ['STATUS:CANCELLED'] : []),
    `DTSTART:${utc(new Date(ping.activates_at))}`,
    `DTEND:${utc(new Date(ping.expires_at))}`,
    `SUMMARY:${escaped(ping.name)}`,
    `LOCATION:${escaped(placeText(ping, t))}`,
    `GEO:${place}`,
    `DESCRIPTION:${about.map(escaped).join('\\n')}`,
    `URL:${url}`,
    `CLASS:${ping.is_public ? 'PUBLIC' : 'PRIVATE'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function placeText({ latitude, longitude, address }: CalendarPing, t: Translate): string {
  if (address === null) return `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`
  if (!address.startsWith(nearPrefix)) return address
  // Calendar apps search for the location, without the marks that isolate a name in its sentence.
  return t('pings.area.near', { town: address.slice(nearPrefix.length) }).replaceAll(/[\u2068\u2069]/g, '')
}

// RFC 5545, 3.3.5, form 2: a UTC time in whole seconds.
function utc(date: Date): string {
  return `${date.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

// RFC 5545, 3.3.11. Everything that some reader takes for a line end becomes one; other control characters are not
// allowed.
function escaped(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, '\\n')
    .replaceAll(/(?!\t)\p{Cc}/gu, '')
}

/**
 * Folds a line as in RFC 5545, 3.1: at most 75 octets per line, including the leading space of a continuation line.
 * Characters are not cut.
 */
function folded(line: string): string {
  const parts = ['']
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > 75) {
      parts.push('')
      octets = 1
    }
    parts[parts.length - 1] += character
    octets += size
  }
  return parts.join('\r\n ')
}
