import { type AnonymousPing } from '@hither/contract/pings.ts'

/** What of a ping a calendar entry tells: no more than the one who asks for it may see. `message` is left out for visitors. */
export type CalendarPing = Pick<
  AnonymousPing,
  'id' | 'username' | 'name' | 'latitude' | 'longitude' | 'address' | 'expires_at' | 'is_public'
> & { activates_at: string; message?: string | null }

/** As RFC 5545 has it. `url` is the ping's page, `now` the moment of writing. */
export function calendarOf(ping: CalendarPing, url: string, now: Date): string {
  const place = `${ping.latitude.toFixed(6)};${ping.longitude.toFixed(6)}`
  const about = [`by ${ping.username}`, ping.message ?? '', url].filter((part) => part !== '')
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Hither//Hither//EN',
    'BEGIN:VEVENT',
    `UID:${ping.id}`,
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(new Date(ping.activates_at))}`,
    `DTEND:${utc(new Date(ping.expires_at))}`,
    `SUMMARY:${escaped(ping.name)}`,
    `LOCATION:${escaped(ping.address ?? `${ping.latitude.toFixed(4)}, ${ping.longitude.toFixed(4)}`)}`,
    `GEO:${place}`,
    `DESCRIPTION:${about.map(escaped).join('\\n')}`,
    `URL:${url}`,
    `CLASS:${ping.is_public ? 'PUBLIC' : 'PRIVATE'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

// RFC 5545, 3.3.5, form 2: whole seconds.
function utc(date: Date): string {
  return `${date.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

// RFC 5545, 3.3.11. Whatever some reader takes for the end of a line is one; other control characters may not stand in a text.
function escaped(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, '\\n')
    .replaceAll(/(?!\t)\p{Cc}/gu, '')
}

/** RFC 5545, 3.1: no more than 75 octets a line, the blank that begins a further one among them; no character is cut. */
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
