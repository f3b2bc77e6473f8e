import { lockConversationPingOwnersShared } from '../../users/user-locks.ts'
import { endConversation, type MessagesDeps } from '../chats.service.ts'
import * as queries from './erasure.queries.ts'

/** Erases chats whose date has passed, for all members. Nobody is notified. Returns how many were due. */
export async function eraseChatBatch({ pool, changes, now }: MessagesDeps, limit: number): Promise<number> {
  const at = now()
  const due = (await queries.listDue(pool, at, limit)).map(({ id }) => id)
  if (due.length === 0) return 0
  await changes.commit(pool, async (tx, announce) => {
    // A ping that gets more time meanwhile moves the date before or after this lock.
    await lockConversationPingOwnersShared(tx, due)
    // Another node may have erased some of them, and members may have kept some.
    const locked = await queries.lockDue(tx, due, at)
    for (const chat of await queries.listLocked(tx, locked)) await endConversation(tx, announce, chat, at)
  })
  return due.length
}

/** Returns when the next chat is due, or `null` if no chat has a date. */
export async function findNextErasure({ pool }: MessagesDeps): Promise<string | null> {
  return queries.findNextDate(pool)
}
