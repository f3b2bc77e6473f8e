import { accountGuessLimit } from '@hither/contract/auth/auth.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { emailKeyOf } from '@hither/contract/runtime/identifiers.ts'
import type { WithCommit } from '../events/changes.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { RateLimits } from '../platform/http/rate-limits.ts'
import * as queries from './known-devices.queries.ts'

const devicesMax = 20

/**
 * Limits the attempts at the password of one account across all networks. A device that has signed in to the account
 * before is not counted, so that the guesses of others do not lock out its owner. Refuses with `rate_limited`, also for
 * addresses without an account.
 */
export async function assertMayGuess(
  db: Db,
  rateLimits: RateLimits,
  email: string,
  secret: string | undefined,
): Promise<void> {
  if (secret !== undefined && (await queries.isDeviceKnown(db, email, secret))) return
  const wait = await rateLimits.take(`password of ${emailKeyOf(email)}`, accountGuessLimit)
  if (wait !== null) throw new Refusal('rate_limited', wait)
}

/**
 * Stores the device of a new session. Sent with the commit of the transaction. A client without a secret stays unknown.
 */
export function rememberDevice(
  { tx, withCommit }: { tx: Tx; withCommit: WithCommit },
  userId: UserId,
  secret: string | undefined,
  now: Date,
): void {
  if (secret === undefined) return
  withCommit(queries.upsertDevice(tx, { userId, secret, now }))
  withCommit(queries.deleteOldestDevices(tx, userId, devicesMax))
}

/** Deletes all known devices of a user. */
export async function eraseKnownDevices(tx: Tx, userId: UserId): Promise<void> {
  await queries.deleteDevicesOf(tx, userId)
}
