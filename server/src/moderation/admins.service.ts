import { type AdminActionId, type ReportId, type UserId } from '@hither/contract/ids.ts'
import { type AdminAction, type AdminActionName, moderationLimits } from '@hither/contract/moderation.ts'
import { hashOf } from '../auth/secret-tokens.ts'
import { type Announce, type Changes } from '../platform/changes.ts'
import { type Db, type Pool } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { insertAction, listActions } from './actions.queries.ts'
import { newAdminCode, readAdminCode } from './admin-code.ts'
import * as queries from './admins.queries.ts'
import { isSuspended } from './suspensions.queries.ts'

export interface AdminsDeps {
  pool: Pool
  changes: Changes
  now: () => Date
}

/** What is written down of it. */
type Note = (
  action: AdminActionName,
  about?: { userId?: UserId | null; reportId?: ReportId; note?: string | null },
) => Promise<void>

const hourMs = 3_600_000

/** To everyone else there are no such calls: they are refused as if unknown. */
export async function assertAdmin(db: Db, callerId: UserId): Promise<void> {
  if (!(await queries.isAdmin(db, callerId))) throw new Refusal('route_not_found')
}

/** Whether the person is one, and whether nobody is yet. */
export async function getAdminRole(
  { pool }: AdminsDeps,
  userId: UserId,
): Promise<{ is_admin: boolean; is_claimable: boolean }> {
  const is_admin = await queries.isAdmin(pool, userId)
  return { is_admin, is_claimable: !is_admin && !(await queries.hasAdmin(pool)) }
}

/**
 * The way of everything that admins do: one transaction that holds the admin, and the person it is about, so that nobody who
 * is an admin no longer does any of it, and that writes down what was done.
 */
export async function actAsAdmin<T>(
  { pool, changes, now }: AdminsDeps,
  adminId: UserId,
  personId: UserId | null,
  work: (db: Db, announce: Announce, note: Note) => Promise<T>,
): Promise<T> {
  await assertAdmin(pool, adminId)
  return changes.commit(pool, async (db, announce) => {
    const people = await queries.lockPeople(db, personId === null ? [adminId] : [adminId, personId])
    await assertAdmin(db, adminId)
    // An id may be written in capitals; the database never does.
    if (personId !== null && !people.includes(personId.toLowerCase() as UserId)) throw new Refusal('user_not_found')
    return work(db, announce, async (action, { userId = null, reportId = null as ReportId | null, note = null } = {}) =>
      insertAction(db, { id: newId<AdminActionId>(), adminId, action, userId, reportId, note, now: now() }),
    )
  })
}

/** For whoever starts the server, while there is no admin: `null` once there is one. Those of other nodes stay good. */
export async function makeAdminCode({ pool, changes, now }: AdminsDeps): Promise<string | null> {
  return changes.commit(pool, async (db) => {
    await queries.lockAdmins(db)
    if (await queries.hasAdmin(db)) return null
    const code = newAdminCode()
    const expiresAt = new Date(now().getTime() + moderationLimits.adminCodeHours * hourMs)
    await queries.insertAdminCode(db, hashOf(readAdminCode(code)), expiresAt)
    return code
  })
}

/** A wrong code, a used one and any code once there is an admin are refused alike. */
export async function claimAdmin({ pool, changes, now }: AdminsDeps, callerId: UserId, code: string): Promise<void> {
  await changes.commit(pool, async (db) => {
    if ((await queries.lockPeople(db, [callerId])).length === 0) throw new Refusal('authentication_required')
    // Of two at once, also with the codes of two nodes, the second finds an admin.
    await queries.lockAdmins(db)
    const isGood = await queries.isAdminCode(db, hashOf(readAdminCode(code)), now())
    if (!isGood || (await queries.hasAdmin(db))) throw new Refusal('admin_code_invalid')
    await queries.insertAdmin(db, callerId, now())
    await queries.deleteAdminCodes(db)
    await insertAction(db, {
      id: newId<AdminActionId>(),
      adminId: callerId,
      action: 'claim',
      userId: callerId,
      reportId: null,
      note: null,
      now: now(),
    })
  })
}

export async function appointAdmin(deps: AdminsDeps, adminId: UserId, userId: UserId): Promise<void> {
  await actAsAdmin(deps, adminId, userId, async (db, _announce, note) => {
    if (await isSuspended(db, userId, deps.now())) throw new Refusal('suspended_not_appointable')
    if (await queries.insertAdmin(db, userId, deps.now())) await note('appoint', { userId })
  })
}

/** Also oneself; but somebody remains. */
export async function dismissAdmin(deps: AdminsDeps, adminId: UserId, userId: UserId): Promise<void> {
  await actAsAdmin(deps, adminId, userId, async (db, _announce, note) => {
    const admins = await queries.lockEveryAdmin(db)
    if (!admins.includes(userId.toLowerCase() as UserId)) return
    if (admins.length === 1) throw new Refusal('last_admin')
    await queries.deleteAdmin(db, userId)
    await note('dismiss_admin', { userId })
  })
}

/** Newest first. */
export async function listAdminActions(
  { pool }: AdminsDeps,
  adminId: UserId,
  { before = null, limit = moderationLimits.pageDefault }: { before?: AdminActionId | null; limit?: number },
): Promise<AdminAction[]> {
  await assertAdmin(pool, adminId)
  return listActions(pool, { before, limit })
}
