import { type PingId } from '@hither/contract/ids.ts'
import { getPingCalendar } from '@hither/contract/pings.ts'
import { ApiError, addressOf, authorised } from '../api/transport.ts'

/** Hands the calendar entry of a scheduled ping to the device. A link cannot carry the token, so it is fetched first. */
export async function saveCalendarEntry(pingId: PingId): Promise<void> {
  const entry = await authorised(getPingCalendar, async (accessToken) => {
    const response = await fetch(addressOf(getPingCalendar, { params: { id: pingId } }), {
      headers: accessToken === null ? {} : { Authorization: `Bearer ${accessToken}` },
      cache: 'no-store',
      credentials: 'omit',
    })
    if (!response.ok) throw new ApiError(response.status, '')
    return response.blob()
  })
  const url = URL.createObjectURL(entry)
  const link = document.createElement('a')
  link.href = url
  link.download = getPingCalendar.download
  link.click()
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
