import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { ConversationMute, NotificationPreferences } from '@hither/contract/notifications.ts'
import { type NotificationKind, notificationDefaults } from '@hither/contract/runtime/notifications.ts'
import type { Db, Tx } from '../platform/db/database.ts'

interface Columns {
  /** The switches that differ from their default. */
  switches: Partial<NotificationPreferences['kinds']>
  hide_details: boolean
  quiet_from: string | null
  quiet_to: string | null
  time_zone: string | null
}

/** Returns the preferences of a user, or the defaults if they have changed none. */
export async function findPreferences(db: Db, userId: UserId): Promise<NotificationPreferences> {
  const [row] = await db<Columns[]>`
    select switches, hide_details, quiet_from, quiet_to, time_zone
    from notification_preferences where user_id = ${userId}`
  return present(row)
}

/** Locks the preferences of a user until the transaction ends. Inserts the row if there is none. */
export async function lockPreferences(tx: Tx, userId: UserId): Promise<NotificationPreferences> {
  await tx`insert into notification_preferences (user_id) values (${userId}) on conflict do nothing`
  await tx`select 1 from notification_preferences where user_id = ${userId} for update`
  return findPreferences(tx, userId)
}

export async function updatePreferences(tx: Tx, userId: UserId, changed: NotificationPreferences): Promise<void> {
  const { kinds, quiet_hours, hide_details } = changed
  const changes = Object.entries(kinds).filter(
    ([kind, isOn]) => isOn !== notificationDefaults[kind as NotificationKind],
  )
  await tx`
    update notification_preferences set
      switches = ${JSON.stringify(Object.fromEntries(changes))}::jsonb, hide_details = ${hide_details},
      quiet_from = ${quiet_hours?.from ?? null}, quiet_to = ${quiet_hours?.to ?? null},
      time_zone = ${quiet_hours?.time_zone ?? null}
    where user_id = ${userId}`
}

function present(row: Columns | undefined): NotificationPreferences {
  if (!row) return { kinds: notificationDefaults, quiet_hours: null, hide_details: false }
  const { switches, hide_details, quiet_from: from, quiet_to: to, time_zone } = row
  const quiet_hours = from === null || to === null || time_zone === null ? null : { from, to, time_zone }
  return { kinds: { ...notificationDefaults, ...switches }, quiet_hours, hide_details }
}

/** `limit: null` means no limit, for the export. */
export function listMutes(
  db: Db,
  userId: UserId,
  now: Date,
  { limit, before }: { limit: number | null; before: string | null },
) {
  return db<ConversationMute[]>`
    select chat_id as conversation_id, muted_until from chat_mutes
    where user_id = ${userId} and ${isInForce(db, now)} and (${before}::uuid is null or chat_id > ${before}::uuid)
      and not exists (select 1 from chats where id = chat_id and erase_at <= ${now})
    order by chat_id limit ${limit}::int`
}

export async function isMuted(db: Db, userId: UserId, conversationId: ConversationId, now: Date): Promise<boolean> {
  const rows = await db`
    select 1 from chat_mutes where user_id = ${userId} and chat_id = ${conversationId} and ${isInForce(db, now)}`
  return rows.length > 0
}

function isInForce(db: Db, now: Date) {
  return db`(muted_until is null or muted_until > ${now})`
}

/** Mutes a conversation. Returns whether the user is a member of it. */
export async function upsertMute(
  tx: Tx,
  userId: UserId,
  conversationId: ConversationId,
  mutedUntil: Date | null,
): Promise<boolean> {
  const { count } = await tx`
    insert into chat_mutes (user_id, chat_id, muted_until)
    select user_id, chat_id, ${mutedUntil}::timestamptz from chat_members
    where user_id = ${userId} and chat_id = ${conversationId} for key share
    on conflict (user_id, chat_id) do update set muted_until = excluded.muted_until`
  return count > 0
}

export async function deleteMute(tx: Tx, userId: UserId, conversationId: ConversationId): Promise<void> {
  await tx`delete from chat_mutes where user_id = ${userId} and chat_id = ${conversationId}`
}

export async function deletePreferences(tx: Tx, userId: UserId): Promise<void> {
  await tx`delete from notification_preferences where user_id = ${userId}`
}
