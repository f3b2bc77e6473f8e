import type { ReportId, UserId } from '@hither/contract/ids.ts'
import { cleanText } from '@hither/contract/runtime/texts.ts'
import { endSessions } from '../auth/sessions.service.ts'
import { pingChats } from '../messages/ping-chats.service.ts'
import { withdrawLivePings } from '../pings/ping-removal.service.ts'
import { retryConflicts } from '../platform/db/conflicts.ts'
import type { Tx } from '../platform/db/database.ts'
import { InvalidInput, Refusal } from '../platform/errors/refusal.ts'
import { listOwnersOfTrips, lockTripsOf } from '../trips/session-endings.service.ts'
import { isAdmin } from './admins.queries.ts'
import { type AdminsDeps, actAsAdmin } from './admins.service.ts'
import { handleReport } from './reports/reports.service.ts'
import * as queries from './suspensions.queries.ts'

const dayMs = 86_400_000

interface Suspending {
  readonly reason: string
  /** `null`: without an end. */
  readonly days?: number | null
  readonly report_id?: ReportId | null
}

/**
 * Suspends a user at once on every device. Ends their live pings, which they could no longer end themselves. Keeps
 * messages, friendships and all other data until the suspension ends.
 */
export async function suspendUser(
  deps: AdminsDeps,
  adminId: UserId,
  userId: UserId,
  { reason: text, days = null, report_id: reportId = null }: Suspending,
): Promise<void> {
  const reason = readReason(text)
  // Trips of the person end with their sessions, so the owners of the pings are locked too.
  const listConcerned = (tx: Tx) => listOwnersOfTrips(tx, userId)
  await retryConflicts(() =>
    actAsAdmin(
      deps,
      adminId,
      userId,
      async (tx, announce, note, users) => {
        // An admin must be dismissed first: so one admin always remains, and no admin suspends themselves.
        if (await isAdmin(tx, userId)) throw new Refusal('admin_not_suspendable')
        const now = deps.now()
        const until = days === null ? null : new Date(now.getTime() + days * dayMs)
        if (reportId !== null) await handleReport(tx, reportId, { outcome: 'suspended', adminId, userId, now })
        await queries.upsertSuspension(tx, { userId, reason, now, until })
        const trips = await lockTripsOf(tx, userId)
        await withdrawLivePings(tx, announce, pingChats, users.get(userId), now)
        await endSessions(tx, announce, userId, { exceptId: null, trips, now })
        await note('suspend', { userId, ...(reportId !== null && { reportId }), note: noteOf(reason, days) })
      },
      listConcerned,
    ),
  )
}

export async function liftSuspension(deps: AdminsDeps, adminId: UserId, userId: UserId): Promise<void> {
  await actAsAdmin(deps, adminId, userId, async (tx, _announce, note) => {
    if (await queries.deleteSuspension(tx, userId)) await note('lift', { userId })
  })
}

function noteOf(reason: string, days: number | null): string {
  return `${days === null ? 'For good' : days === 1 ? 'For a day' : `For ${days} days`}: ${reason}`
}

function readReason(text: string): string {
  const reason = cleanText(text).trim()
  if (reason !== '') return reason
  const params = { limit: 1 }
  const msg = 'Must be at least 1 characters'
  throw new InvalidInput({ loc: ['body', 'reason'], msg, type: 'minLength', code: 'too_short', params })
}
