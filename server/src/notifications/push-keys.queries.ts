import { type Db } from '../platform/database.ts'

/** Two nodes that start at once make one pair. */
export async function lockKeptKeys(db: Db): Promise<void> {
  await db`lock table kept_keys in share row exclusive mode`
}

export async function findKeptKey(db: Db, name: string): Promise<Buffer | undefined> {
  const [row] = await db<{ sealed: Buffer }[]>`select sealed from kept_keys where name = ${name}`
  return row?.sealed
}

export async function upsertKeptKey(db: Db, name: string, sealed: Buffer): Promise<void> {
  await db`
    insert into kept_keys (name, sealed) values (${name}, ${sealed})
    on conflict (name) do update set sealed = excluded.sealed`
}
