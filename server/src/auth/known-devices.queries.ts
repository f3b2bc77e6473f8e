import type { UserId } from '@hither/contract/ids.ts'
import { emailKeyOf } from '@hither/contract/runtime/identifiers.ts'
import type { Db, Tx } from '../platform/db/database.ts'

/** Whether a device with this secret has signed in to the account with this address. */
export async function isDeviceKnown(db: Db, email: string, secret: string): Promise<boolean> {
  const rows = await db`
    select 1 from users u join known_devices d on d.user_id = u.id
    where u.email_key = ${emailKeyOf(email)}
      and d.secret_hash = sha256(convert_to(u.id::text || ' ' || ${secret}::text, 'UTF8'))`
  return rows.length > 0
}

/** Stores a known device. Runs when it is awaited or sent with the commit. */
export function upsertDevice(tx: Tx, device: { userId: UserId; secret: string; now: Date }) {
  return tx`
    insert into known_devices (user_id, secret_hash, last_used_at)
    values (
      ${device.userId}, sha256(convert_to(${device.userId}::text || ' ' || ${device.secret}::text, 'UTF8')), ${device.now})
    on conflict (user_id, secret_hash) do update set last_used_at = excluded.last_used_at`
}

/** Deletes all known devices of a user except the `most` used last. Runs like `upsertDevice`. */
export function deleteOldestDevices(tx: Tx, userId: UserId, most: number) {
  return tx`
    delete from known_devices where user_id = ${userId} and secret_hash not in (
      select secret_hash from known_devices where user_id = ${userId}
      order by last_used_at desc, secret_hash limit ${most})`
}

export async function deleteDevicesOf(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from known_devices where user_id = ${userId}`
}
