import type { Banner, NewBanner } from '@hither/contract/banner.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { Pool, Tx } from '../platform/db/database.ts'
import { type AdminsDeps, actAsAdmin, assertAdmin } from './admins.service.ts'
import * as queries from './banner.queries.ts'
import { readBanner } from './banner.rules.ts'
import { deletePastBanner } from './cleanup.queries.ts'

/** Returns the banner that everyone who is signed in may see. */
export async function getBanner({ pool, now }: { pool: Pool; now: () => Date }): Promise<Banner | null> {
  return queries.findBanner(pool, now())
}

/** Shows a banner instead of the current one. Of two concurrent calls, the last one stays. */
export async function setBanner(deps: AdminsDeps, adminId: UserId, input: NewBanner): Promise<Banner> {
  // Before the input is read: everyone but an admin gets the answer of an unknown address, whatever they send.
  await assertAdmin(deps.pool, adminId)
  const now = deps.now()
  const banner = readBanner(input, now)
  return actAsAdmin(deps, adminId, null, async (tx, _announce, note) => {
    await note('banner_set')
    return queries.upsertBanner(tx, { ...banner, now })
  })
}

export async function removeBanner(deps: AdminsDeps, adminId: UserId): Promise<void> {
  await actAsAdmin(deps, adminId, null, async (tx, _announce, note) => {
    if (await queries.deleteBanner(tx)) await note('banner_removed')
  })
}

/** Deletes a banner that ended. For a restored backup, whose banner may be old. */
export async function removeEndedBanner(tx: Tx, now: Date): Promise<void> {
  await deletePastBanner(tx, now)
}
