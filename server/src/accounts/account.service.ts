import type { UserId } from '@hither/contract/ids.ts'
import type { AccountExport } from '@hither/contract/users.ts'
import type { AuthDeps } from '../auth/auth.service.ts'
import { assertOwner, type OwnerProof } from '../auth/passwords.service.ts'
import { assertRecentSignIn } from '../auth/recent-sign-in.service.ts'
import { assertSessionOpen } from '../auth/sessions.service.ts'
import { exportCircles } from '../circles/circles.service.ts'
import { exportLinks } from '../friend-links/friend-links.service.ts'
import { lockRelations } from '../friends/account-erasure.service.ts'
import { exportModeration } from '../moderation/export.service.ts'
import { exportNotifications } from '../notifications/preferences.service.ts'
import { exportPings } from '../pings/pings.service.ts'
import type { AssertRoom } from '../platform/data-folder/free-space.ts'
import { retryConflicts } from '../platform/db/conflicts.ts'
import type { Tx } from '../platform/db/database.ts'
import { jsonParts, type Queried } from '../platform/db/json-parts.ts'
import { allowLongWork } from '../platform/db/open-database.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { Caller } from '../platform/http/caller.ts'
import { type SpooledJson, spoolJson } from '../platform/http/spool.ts'
import { getOwnUser, type UsersDeps } from '../users/users.service.ts'
import { findExport } from './account.queries.ts'
import { eraseAccount } from './account-erasure.service.ts'

export type AccountDeps = UsersDeps & Pick<AuthDeps, 'identityTokens' | 'issuers' | 'rateLimits'>

export interface ExportDeps extends AccountDeps {
  /** The users whose export is running on this node. */
  readonly exporting: Set<UserId>
  readonly assertRoom: AssertRoom
  /** Exports are written to this folder before they are sent. */
  readonly spoolFolder: string
}

/**
 * Deletes the account and everything that belongs to it in one transaction. For friends each thing disappears as if it
 * had been deleted; sessions end at once. Needs the password, or a fresh identity token for an account without a
 * password.
 */
export async function deleteAccount(deps: AccountDeps, caller: Caller, proof: OwnerProof): Promise<void> {
  const { pool, changes, presence, now } = deps
  await assertOwner(deps, caller, proof)
  await retryConflicts(() =>
    changes.commit(pool, async (tx, announce) => {
      await lockRelations(tx, caller.userId)
      await assertSessionOpen(tx, caller, now())
      await eraseAccount(tx, announce, { presence, now: now() }, caller.userId)
    }),
  )
}

/** Of this node. Each export reads the database and needs disk space until the client has it. */
const exportsAtOnce = 2
const retryAfterSeconds = 30

/**
 * Returns all data about the user, for the user. Contains only the usernames of others. Needs a recent sign-in or the
 * password: a device that somebody left unlocked must not give all messages and places in one call.
 */
export async function exportAccount(
  deps: ExportDeps,
  caller: Caller,
  password?: string,
): Promise<SpooledJson<AccountExport>> {
  await assertRecentSignIn(deps, caller, password)
  const { pool, now, exporting, spoolFolder, assertRoom } = deps
  const { userId } = caller
  if (exporting.has(userId)) throw new Refusal('export_running', retryAfterSeconds)
  if (exporting.size >= exportsAtOnce) throw new Refusal('server_busy', retryAfterSeconds)
  exporting.add(userId)
  const release = () => exporting.delete(userId)
  let spooled = null as SpooledJson<AccountExport> | null
  try {
    await assertRoom()
    // All rows are read from one snapshot. The transaction does not wait for the client.
    return await pool.begin('isolation level repeatable read read only', async (tx) => {
      spooled = await spoolJson<AccountExport>(spoolFolder, exportedJson(tx, userId, now()), release)
      return spooled
    })
  } catch (error) {
    if (spooled === null) release()
    else await spooled.close()
    throw error
  }
}

async function* exportedJson(tx: Tx, userId: UserId, now: Date): AsyncGenerator<string> {
  await allowLongWork(tx)
  yield* jsonParts(tx, await findExported(tx, userId, now))
}

/** The queries for everything that the export contains. */
export async function findExported(tx: Tx, userId: UserId, now: Date): Promise<Queried<AccountExport>> {
  const account = await getOwnUser(tx, userId)
  const { has_password, ...stored } = await findExport(tx, userId, now)
  return {
    exported_at: now.toISOString(),
    account: { ...account, has_password },
    ...stored,
    circles: exportCircles(tx, userId),
    ...exportLinks(tx, userId),
    // The pings as the user sees them, without users who are no longer friends.
    pings: exportPings(tx, userId, now),
    notifications: await exportNotifications(tx, userId, now),
    moderation: await exportModeration(tx, userId),
  }
}
