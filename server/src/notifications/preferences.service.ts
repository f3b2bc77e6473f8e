import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type {
  ConversationMute,
  NotificationExport,
  NotificationPreferences,
  NotificationPreferencesPatch,
} from '@hither/contract/notifications.ts'
import type { Changes } from '../events/changes.ts'
import { isMember } from '../messages/conversations.service.ts'
import type { Db, Pool, Tx } from '../platform/db/database.ts'
import type { Queried } from '../platform/db/json-parts.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { type Page, pageValues } from '../platform/http/pages.ts'
import * as queries from './preferences.queries.ts'
import { changePreferences, readMutedUntil } from './preferences.rules.ts'
import { listDevices } from './push/subscriptions.queries.ts'

interface PreferencesDeps {
  pool: Pool
  changes: Changes
  now: () => Date
}

export function getPreferences({ pool }: PreferencesDeps, userId: UserId): Promise<NotificationPreferences> {
  return queries.findPreferences(pool, userId)
}

export function updatePreferences(
  { pool, changes }: PreferencesDeps,
  userId: UserId,
  patch: NotificationPreferencesPatch,
): Promise<NotificationPreferences> {
  return changes.commit(pool, async (tx) => {
    const changed = changePreferences(await queries.lockPreferences(tx, userId), patch)
    await queries.updatePreferences(tx, userId, changed)
    return changed
  })
}

export function listMutes(
  { pool, now }: PreferencesDeps,
  userId: UserId,
  page: Page<ConversationId>,
): Promise<ConversationMute[]> {
  return queries.listMutes(pool, userId, now(), pageValues(page))
}

/** Returns all notification data about a user, for the export. */
export async function exportNotifications(db: Db, userId: UserId, now: Date): Promise<Queried<NotificationExport>> {
  return {
    preferences: await queries.findPreferences(db, userId),
    mutes: queries.listMutes(db, userId, now, { limit: null, before: null }),
    devices: listDevices(db, userId),
  }
}

/**
 * Mutes a conversation for the caller. An unknown conversation and one that the caller may not see get the same
 * refusal.
 */
export async function muteConversation(
  { pool, changes, now }: PreferencesDeps,
  userId: UserId,
  conversationId: ConversationId,
  until: string | null,
): Promise<ConversationMute> {
  const mutedUntil = readMutedUntil(until, now())
  await changes.commit(pool, async (tx) => {
    const isSeen = await isMember(tx, conversationId, userId, now())
    if (!isSeen || !(await queries.upsertMute(tx, userId, conversationId, mutedUntil)))
      throw new Refusal('conversation_not_found')
  })
  return {
    conversation_id: conversationId.toLowerCase() as ConversationId,
    muted_until: mutedUntil?.toISOString() ?? null,
  }
}

export async function unmuteConversation(
  { pool, changes }: PreferencesDeps,
  userId: UserId,
  conversationId: ConversationId,
): Promise<void> {
  await changes.commit(pool, (tx) => queries.deleteMute(tx, userId, conversationId))
}

/** Deletes the preferences of a user, who then has the defaults. */
export async function resetPreferences(tx: Tx, userId: UserId): Promise<void> {
  await queries.deletePreferences(tx, userId)
}
