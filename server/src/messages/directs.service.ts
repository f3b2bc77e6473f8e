import type { Announce } from '../events/changes.ts'
import { feeds } from '../feeds/feeds.ts'
import type { Tx } from '../platform/db/database.ts'
import type { LockedUser } from '../users/user-locks.ts'
import { announceGone, chatRowOf } from './chats.service.ts'
import { lockPairChat } from './directs.queries.ts'
import { findConversationUnchecked } from './members.queries.ts'
import { unpinForAll } from './placement/placement.queries.ts'

/** Locks the direct conversation of two users, so that no message is sent until the transaction ends. */
export async function lockDirect(tx: Tx, a: LockedUser, b: LockedUser): Promise<void> {
  await lockPairChat(tx, a, b)
}

/** Announces that the direct conversation disappears for both, after one has blocked the other. */
export async function hideDirect(tx: Tx, announce: Announce, a: LockedUser, b: LockedUser): Promise<void> {
  const chat = await lockDirectChat(tx, a, b)
  if (!chat) return
  await unpinForAll(tx, chat.id)
  for (const member of chat.members) announceGone(announce, chat, member)
}

/** Announces that the direct conversation is back for both, after the last block between them ended. */
export async function showDirect(tx: Tx, announce: Announce, a: LockedUser, b: LockedUser): Promise<void> {
  const chat = await lockDirectChat(tx, a, b)
  for (const member of chat?.members ?? [])
    if (chat) announce.insert('chats', chatRowOf(chat, member), feeds.chats.audience(member))
}

async function lockDirectChat(tx: Tx, a: LockedUser, b: LockedUser) {
  const id = await lockPairChat(tx, a, b)
  return id && findConversationUnchecked(tx, id)
}
