import type { PingId } from '@hither/contract/ids.ts'
import { calendarFileName } from '@hither/contract/runtime/pings.ts'
import { request } from '../../api/request.ts'
import { ApiError, authorised, urlOf } from '../../api/transport.ts'

/**
 * Downloads the calendar entry of a scheduled ping. A link cannot carry the token, so the entry is fetched first. `guestToken` is
 * that of a guest without account.
 */
export async function saveCalendarEntry(pingId: PingId, guestToken?: string): Promise<void> {
  const entry = await authorised('optional', async (accessToken) => {
    const { response, content } = await request(urlOf('GET /pings/:id/calendar.ics', { params: { id: pingId } }), {
      type: 'text/calendar',
      headers: headersOf(accessToken, guestToken),
      cache: 'no-store',
    })
    if (!response.ok) throw new ApiError(response.status, '')
    return content
  })
  const url = URL.createObjectURL(entry)
  const link = document.createElement('a')
  link.href = url
  link.download = calendarFileName
  link.click()
  // The browser reads the object URL after this event-loop tick.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

function headersOf(accessToken: string | null, guestToken: string | undefined): Record<string, string> {
  if (accessToken !== null) return { Authorization: `Bearer ${accessToken}` }
  return guestToken === undefined ? {} : { Authorization: `Guest ${guestToken}` }
}
