import type { AdminActionId, ReportId, UserId } from '@hither/contract/ids.ts'
import type { AdminAction, AdminActionName } from '@hither/contract/moderation.ts'
import { moderationLimits } from '@hither/contract/runtime/moderation.ts'
import { isSuspended } from '../admission/admission.service.ts'
import { revokeAdminLinks } from '../auth/recovery/reset-links.service.ts'
import type { Announce, Changes, WithCommit } from '../events/changes.ts'
import { hashOf } from '../platform/crypto/secret-tokens.ts'
import type { Db, Pool, Tx } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { type LockedUser, type LockedUsers, lockUser, lockUsers } from '../users/user-locks.ts'
import { insertAction, listActions } from './actions.queries.ts'
import { newAdminCode, readAdminCode } from './admin-code.ts'
import * as queries from './admins.queries.ts'

export interface AdminsDeps {
  pool: Pool
  changes: Changes
  now: () => Date
}

/** Records an action in the admin log. */
type Note = (
  action: AdminActionName,
  about?: { userId?: UserId | null; reportId?: ReportId; note?: string | null },
) => Promise<void>

const hourMs = 3_600_000

/** Refuses users who are not admins as if the endpoint did not exist. */
export async function assertAdmin(db: Db, callerId: UserId): Promise<void> {
  if (!(await queries.isAdmin(db, callerId))) throw new Refusal('route_not_found')
}

/** Returns whether the user is an admin, and whether there is no admin yet. */
export async function getAdminRole(
  { pool }: AdminsDeps,
  userId: UserId,
): Promise<{ is_admin: boolean; is_claimable: boolean }> {
  const is_admin = await queries.isAdmin(pool, userId)
  return { is_admin, is_claimable: !is_admin && !(await queries.hasAdmin(pool)) }
}

/**
 * Runs an admin action. One transaction locks the admin and the affected user, so that a dismissed admin cannot finish
 * an action, and records what was done. `listConcerned` returns further users to lock.
 */
export async function actAsAdmin<T>(
  { pool, changes, now }: AdminsDeps,
  adminId: UserId,
  personId: UserId | null,
  work: (tx: Tx, announce: Announce, note: Note, users: LockedUsers, withCommit: WithCommit) => Promise<T>,
  listConcerned: (tx: Tx) => Promise<readonly UserId[]> = async () => [],
): Promise<T> {
  await assertAdmin(pool, adminId)
  return changes.commit(pool, async (tx, announce, withCommit) => {
    const concerned = await listConcerned(tx)
    const people = await lockUsers(tx, [adminId, ...(personId === null ? [] : [personId]), ...concerned])
    await assertAdmin(tx, adminId)
    if (personId !== null && !people.has(personId)) throw new Refusal('user_not_found')
    const note: Note = (action, { userId = null, reportId = null as ReportId | null, note = null } = {}) =>
      insertAction(tx, { id: newId<AdminActionId>(), adminId, action, userId, reportId, note, now: now() })
    return work(tx, announce, note, people, withCommit)
  })
}

/** Creates a code for the first admin; `null` if there is an admin. Codes of other nodes stay valid. */
export async function makeAdminCode({ pool, changes, now }: AdminsDeps): Promise<string | null> {
  return changes.commit(pool, async (tx) => {
    await queries.lockAdmins(tx)
    if (await queries.hasAdmin(tx)) return null
    const code = newAdminCode()
    const expiresAt = new Date(now().getTime() + moderationLimits.adminCodeHours * hourMs)
    await queries.insertAdminCode(tx, hashOf(readAdminCode(code)), expiresAt)
    return code
  })
}

/**
 * Makes the caller the first admin. A wrong code, a used one, and any code once there is an admin get the same refusal.
 */
export async function claimAdmin({ pool, changes, now }: AdminsDeps, callerId: UserId, code: string): Promise<void> {
  await changes.commit(pool, async (tx) => {
    const caller = await lockUser(tx, callerId)
    if (caller === null) throw new Refusal('authentication_required')
    // Of two concurrent claims, even with the codes of two nodes, the second finds an admin.
    await queries.lockAdmins(tx)
    const isGood = await queries.isAdminCode(tx, hashOf(readAdminCode(code)), now())
    if (!isGood || (await queries.hasAdmin(tx))) throw new Refusal('admin_code_invalid')
    await makeAdmin(tx, caller, now())
    await queries.deleteAdminCodes(tx)
    await insertAction(tx, {
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
  await actAsAdmin(deps, adminId, userId, async (tx, _announce, note, users) => {
    if (await isSuspended(tx, userId, deps.now())) throw new Refusal('suspended_not_appointable')
    if (await makeAdmin(tx, users.get(userId), deps.now())) await note('appoint', { userId })
  })
}

/**
 * Makes a user an admin and returns whether they were none before. The links that admins made for them as a member stop working:
 * nobody takes over an admin with one.
 */
async function makeAdmin(tx: Tx, userId: LockedUser, now: Date): Promise<boolean> {
  const isNew = await queries.insertAdmin(tx, userId, now)
  if (isNew) await revokeAdminLinks(tx, userId)
  return isNew
}

/** Dismisses an admin, who may be the caller. The last admin cannot be dismissed. */
export async function dismissAdmin(deps: AdminsDeps, adminId: UserId, userId: UserId): Promise<void> {
  await actAsAdmin(deps, adminId, userId, async (tx, _announce, note) => {
    const admins = await queries.lockEveryAdmin(tx)
    if (!admins.includes(userId.toLowerCase() as UserId)) return
    if (admins.length === 1) throw new Refusal('last_admin')
    await queries.deleteAdmin(tx, userId)
    await note('dismiss_admin', { userId })
  })
}

/** Lists admin actions, newest first. */
export async function listAdminActions(
  { pool }: AdminsDeps,
  adminId: UserId,
  { before = null, limit = moderationLimits.pageDefault }: { before?: AdminActionId | null; limit?: number },
): Promise<AdminAction[]> {
  await assertAdmin(pool, adminId)
  return listActions(pool, { before, limit })
}
