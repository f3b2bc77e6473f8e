import { accountGuessLimit } from '@hither/contract/auth.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { type Lastly } from '../platform/changes.ts'
import { type Db } from '../platform/database.ts'
import { type RateLimits } from '../platform/rate-limits.ts'
import { Refusal } from '../platform/refusal.ts'
import * as queries from './known-devices.queries.ts'

const devicesMax = 20

/**
 * Limits attempts at the password of one account, wherever they come from. A device that has signed in to the account
 * before is not counted here, so that nobody else's guesses keep its owner out. Refuses with `rate_limited`, also for
 * addresses without an account.
 */
export async function assertMayGuess(
  db: Db,
  rateLimits: RateLimits,
  email: string,
  secret: string | undefined,
): Promise<void> {
  if (secret !== undefined && (await queries.isDeviceKnown(db, email, secret))) return
  const wait = await rateLimits.take(`password of ${email.toLowerCase()}`, accountGuessLimit)
  if (wait !== null) throw new Refusal('rate_limited', wait)
}

/** Written with the commit of the transaction that opens a session. A client that sends no secret stays unknown. */
export function rememberDevice(
  { db, lastly }: { db: Db; lastly: Lastly },
  userId: UserId,
  secret: string | undefined,
  now: Date,
): void {
  if (secret === undefined) return
  lastly(queries.upsertDevice(db, { userId, secret, now }))
  lastly(queries.deleteOldestDevices(db, userId, devicesMax))
}

/** Joins the caller's transaction. Afterwards every device counts as unknown. */
export async function eraseKnownDevices(db: Db, userId: UserId): Promise<void> {
  await queries.deleteDevicesOf(db, userId)
}
