import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { GuestPing } from '@hither/contract/guests.ts'
import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { AnonymousPing, PingRow } from '@hither/contract/pings.ts'
import type { LanguageTag } from '@hither/contract/runtime/locales.ts'
import type { Pool } from '../../platform/db/database.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { Content } from '../../platform/http/content.ts'
import { firstLanguage, translatorOf } from '../../platform/languages/translator.ts'
import { getGuestPing } from '../guests/guests.service.ts'
import * as queries from '../pings.queries.ts'
import { calendarOf } from './calendar.rules.ts'

export interface CalendarDeps {
  pool: Pool
  publicUrl: string
  defaultLanguage: LanguageTag
  now: () => Date
}

/** Who asks for a calendar entry: a person, a guest without account, or a visitor with neither an id nor a token. */
interface Viewer {
  readonly viewerId: UserId | null
  readonly guestToken: string
  /** The language of the call, for a viewer who chose none. */
  readonly language: LanguageTag | null
}

/**
 * Returns the calendar entry of a ping, limited to what the caller may see. Refuses callers who may not know the exact
 * place. Does not mark the ping as seen.
 */
export async function getPingCalendar(deps: CalendarDeps, viewer: Viewer, pingId: PingId): Promise<Content> {
  const at = deps.now()
  const ping = await findSeen(deps.pool, viewer, pingId, at)
  if (!ping) throw new Refusal('ping_not_found')
  const { activates_at, latitude, longitude } = ping
  // The end of a ping takes the place from guests.
  if (latitude === null || longitude === null) throw new Refusal('ping_not_found')
  if (ping.place_radius_m !== null) throw new Refusal('place_hidden')
  if (activates_at === null) throw new Refusal('ping_not_scheduled')
  const planned = 'planned_expires_at' in ping ? (ping.planned_expires_at as string | null) : null
  const expires_at = planned ?? ping.expires_at
  const entry = { ...ping, activates_at, expires_at, latitude, longitude }
  const chosen = viewer.viewerId === null ? null : await queries.findLanguage(deps.pool, viewer.viewerId)
  const { t } = translatorOf(firstLanguage(chosen, viewer.language, deps.defaultLanguage))
  const text = calendarOf(entry, `${deps.publicUrl}/pins/${ping.id}`, at, t)
  return {
    hash: createHash('sha256').update(text).digest('base64url'),
    bytes: Buffer.byteLength(text),
    open: async () => Readable.from([text], { objectMode: false }),
  }
}

/** Finds the ping as the caller sees it. Refuses a guest token that identifies no response. */
async function findSeen(
  pool: Pool,
  { viewerId, guestToken }: Viewer,
  pingId: PingId,
  now: Date,
): Promise<PingRow | AnonymousPing | GuestPing | undefined> {
  if (viewerId !== null) return queries.findVisiblePing(pool, viewerId, pingId, now)
  if (guestToken !== '') return getGuestPing(pool, pingId, guestToken, now)
  return queries.findOpenPing(pool, pingId, now)
}
