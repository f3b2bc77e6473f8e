import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { type Content } from '../platform/content.ts'
import { type Pool } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import { calendarOf } from './calendar.rules.ts'
import * as queries from './pings.queries.ts'

export interface CalendarDeps {
  pool: Pool
  publicUrl: string
  now: () => Date
}

/** For whoever may see the ping, as far as they may. It does not count as having seen it. */
export async function getPingCalendar(
  { pool, publicUrl, now }: CalendarDeps,
  viewerId: UserId | null,
  pingId: PingId,
): Promise<Content> {
  const at = now()
  const ping =
    viewerId === null
      ? await queries.findOpenPing(pool, pingId, at)
      : await queries.findVisiblePing(pool, viewerId, pingId, at)
  if (!ping) throw new Refusal('ping_not_found')
  const { activates_at } = ping
  if (activates_at === null) throw new Refusal('ping_not_scheduled')
  const text = calendarOf({ ...ping, activates_at }, `${publicUrl}/pins/${ping.id}`, at)
  return {
    hash: createHash('sha256').update(text).digest('base64url'),
    bytes: Buffer.byteLength(text),
    open: async () => Readable.from([text], { objectMode: false }),
  }
}
