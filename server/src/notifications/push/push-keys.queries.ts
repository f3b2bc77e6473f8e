import type { Tx } from '../../platform/db/database.ts'

/** Locks the stored keys: two nodes that start concurrently create one key pair. */
export async function lockStoredKeys(tx: Tx): Promise<void> {
  await tx`lock table kept_keys in share row exclusive mode`
}

export async function findStoredKey(tx: Tx, name: string): Promise<Buffer | undefined> {
  const [row] = await tx<{ sealed: Buffer }[]>`select sealed from kept_keys where name = ${name}`
  return row?.sealed
}

export async function upsertStoredKey(tx: Tx, name: string, sealed: Buffer): Promise<void> {
  await tx`
    insert into kept_keys (name, sealed) values (${name}, ${sealed})
    on conflict (name) do update set sealed = excluded.sealed`
}
