import type { Banner } from '@hither/contract/banner.ts'
import type { Db, Tx } from '../platform/db/database.ts'

/** Returns the banner that has not ended. */
export async function findBanner(db: Db, now: Date): Promise<Banner | null> {
  const [row] = await db<Banner[]>`select text, ends_at, updated_at from banners where ends_at > ${now}`
  return row ?? null
}

export async function upsertBanner(tx: Tx, { text, endsAt, now }: { text: string; endsAt: Date; now: Date }) {
  const [row] = await tx<[Banner]>`
    insert into banners (text, ends_at, updated_at) values (${text}, ${endsAt}, ${now})
    on conflict ("only") do update
    set text = excluded.text, ends_at = excluded.ends_at, updated_at = excluded.updated_at
    returning text, ends_at, updated_at`
  return row
}

/** Deletes the banner. Returns whether there was one. */
export async function deleteBanner(tx: Tx): Promise<boolean> {
  const { count } = await tx`delete from banners`
  return count > 0
}
