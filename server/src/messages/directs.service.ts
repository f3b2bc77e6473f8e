import { type UserId } from '@hither/contract/ids.ts'
import { type Announce } from '../platform/changes.ts'
import { type Db } from '../platform/database.ts'
import { announceGone, chatRowOf } from './chats.service.ts'
import { lockPairChat } from './directs.queries.ts'
import { findHeldByNobody } from './members.queries.ts'

/** Nothing is sent between the two until the transaction ends. Needs the pair locked, as all that is here. */
export async function holdDirect(db: Db, a: UserId, b: UserId): Promise<void> {
  await lockPairChat(db, a, b)
}

/** One has blocked the other: their direct conversation is no more for either. */
export async function hideDirect(db: Db, announce: Announce, a: UserId, b: UserId): Promise<void> {
  const chat = await findHeldDirect(db, a, b)
  for (const member of chat?.members ?? []) if (chat) announceGone(announce, chat, member)
}

/** Neither blocks the other any more. */
export async function showDirect(db: Db, announce: Announce, a: UserId, b: UserId): Promise<void> {
  const chat = await findHeldDirect(db, a, b)
  for (const member of chat?.members ?? [])
    if (chat) announce.insert('chats', chatRowOf(chat, member), [member.user_id])
}

async function findHeldDirect(db: Db, a: UserId, b: UserId) {
  const id = await lockPairChat(db, a, b)
  return id && findHeldByNobody(db, id)
}
