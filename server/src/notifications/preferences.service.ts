import { type ConversationId, type UserId } from '@hither/contract/ids.ts'
import {
  type ConversationMute,
  type NotificationExport,
  type NotificationPreferences,
  type NotificationPreferencesPatch,
} from '@hither/contract/notifications.ts'
import { isMember } from '../messages/conversations.service.ts'
import { type Changes } from '../platform/changes.ts'
import { type Db, type Pool } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import * as queries from './preferences.queries.ts'
import { changePreferences, readMutedUntil } from './preferences.rules.ts'
import { listDevices } from './subscriptions.queries.ts'

export interface PreferencesDeps {
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
  return changes.commit(pool, async (db) => {
    const changed = changePreferences(await queries.lockPreferences(db, userId), patch)
    await queries.updatePreferences(db, userId, changed)
    return changed
  })
}

export function listMutes({ pool, now }: PreferencesDeps, userId: UserId): Promise<ConversationMute[]> {
  return queries.listMutes(pool, userId, now())
}

/** All that is held of it on a person, for themselves. */
export async function exportNotifications({ pool, now }: PreferencesDeps, userId: UserId): Promise<NotificationExport> {
  return {
    preferences: await queries.findPreferences(pool, userId),
    mutes: await queries.listMutes(pool, userId, now()),
    devices: await listDevices(pool, userId),
  }
}

/** Refuses alike a conversation that is not there and one that the caller may not know of. */
export async function muteConversation(
  { pool, changes, now }: PreferencesDeps,
  userId: UserId,
  conversationId: ConversationId,
  until: string | null,
): Promise<ConversationMute> {
  const mutedUntil = readMutedUntil(until, now())
  await changes.commit(pool, async (db) => {
    const isSeen = await isMember(db, conversationId, userId)
    if (!isSeen || !(await queries.upsertMute(db, userId, conversationId, mutedUntil)))
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
  await changes.commit(pool, (db) => queries.deleteMute(db, userId, conversationId))
}

/** Joins the caller's transaction. Afterwards the user has the settings of a new account. */
export async function resetPreferences(db: Db, userId: UserId): Promise<void> {
  await queries.deletePreferences(db, userId)
}
