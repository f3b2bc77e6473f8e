import type { UserId } from '@hither/contract/ids.ts'
import { feeds } from '../feeds/feeds.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Announce } from '../platform/events/changes.ts'
import { announceGone, chatRowOf } from './chats.service.ts'
import { lockPairChat } from './directs.queries.ts'
import { findConversationUnchecked } from './members.queries.ts'
import { unpinForAll } from './placement/placement.queries.ts'

/**
 * Locks the direct conversation of two users, so that no message is sent until the transaction ends. Like all functions
 * of this file, needs the two users locked.
 */
export async function lockDirect(tx: Tx, a: UserId, b: UserId): Promise<void> {
  await lockPairChat(tx, a, b)
}

/** Announces that the direct conversation disappears for both, after one has blocked the other. */
export async function hideDirect(tx: Tx, announce: Announce, a: UserId, b: UserId): Promise<void> {
  const chat = await lockDirectChat(tx, a, b)
  if (!chat) return
  await unpinForAll(tx, chat.id)
  for (const member of chat.members) announceGone(announce, chat, member)
}

/** Announces that the direct conversation is back for both, after the last block between them ended. */
export async function showDirect(tx: Tx, announce: Announce, a: UserId, b: UserId): Promise<void> {
  const chat = await lockDirectChat(tx, a, b)
  for (const member of chat?.members ?? [])
    if (chat) announce.insert('chats', chatRowOf(chat, member), feeds.chats.audience(member))
}

async function lockDirectChat(tx: Tx, a: UserId, b: UserId) {
  const id = await lockPairChat(tx, a, b)
  return id && findConversationUnchecked(tx, id)
}
