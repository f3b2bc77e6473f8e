import { type ConversationId, type UserId } from '@hither/contract/ids.ts'
import { type Conversation } from '@hither/contract/messages.ts'
import { listFriendIds } from '../friends/friends.service.ts'
import { findSight } from '../pings/pings.service.ts'
import { type Announce } from '../platform/changes.ts'
import { type Db } from '../platform/database.ts'
import { Refusal } from '../platform/refusal.ts'
import {
  announceGone,
  chatRowOf,
  endConversation,
  getSeenConversation,
  holdConversation,
  holdWithPing,
  type MessagesDeps,
  memberIdsOf,
  receiptOf,
} from './chats.service.ts'
import { findPingOf, lockChat, lockPerson, lockPingAudience } from './conversations.queries.ts'
import * as queries from './members.queries.ts'
import { assertCanLeave, assertCanManage, assertSameConversation, heirOf, memberOf } from './messages.rules.ts'

interface Named {
  readonly conversation_id?: ConversationId
  readonly user_id: UserId
}

/** Whoever sees the conversation's ping as its owner or as invited to it, unless an admin has removed them from it. */
export async function joinConversation(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
): Promise<Conversation> {
  return changes.commit(pool, async (db, announce) => {
    await lockPingAudience(db, conversationId)
    await lockChat(db, conversationId)
    if (!(await queries.findHeld(db, callerId, conversationId))) {
      const pingId = await findPingOf(db, conversationId)
      const sight = pingId && (await findSight(db, callerId, pingId, now()))
      const isInvited = sight === 'owner' || sight === 'invitee'
      if (!isInvited || (await queries.isRemoved(db, conversationId, callerId)))
        throw new Refusal('conversation_not_found')
      await enter(db, announce, conversationId, callerId, now())
    }
    return getSeenConversation(db, callerId, conversationId)
  })
}

/** Admins only, and their friends only; whoever is in it already stays as they are. */
export async function addParticipant(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
  { conversation_id, user_id }: Named,
): Promise<Conversation> {
  assertSameConversation(conversationId, conversation_id)
  const userId = user_id.toLowerCase() as UserId
  return changes.commit(pool, async (db, announce) => {
    // Their friendship does not end meanwhile.
    if (!(await lockPerson(db, callerId))) throw new Refusal('authentication_required')
    const chat = await holdConversation(db, callerId, conversationId)
    assertCanManage(chat, callerId)
    if (!memberOf(chat, userId)) {
      if (!(await listFriendIds(db, callerId)).includes(userId)) throw new Refusal('not_addable')
      await queries.deleteRemoval(db, chat.id, userId)
      await enter(db, announce, chat.id, userId, now())
    }
    return getSeenConversation(db, callerId, chat.id)
  })
}

/** Needs the conversation locked. */
async function enter(
  db: Db,
  announce: Announce,
  conversationId: ConversationId,
  userId: UserId,
  now: Date,
): Promise<void> {
  await queries.insertMembers(db, conversationId, [{ userId, role: 'member' }], now)
  const chat = await queries.findHeld(db, userId, conversationId)
  const member = chat && memberOf(chat, userId)
  if (!member) throw new Refusal('conversation_not_found')
  announce.insert('chats', chatRowOf(chat, member), [userId])
  announce.insert('message_read_receipts', receiptOf(chat, member), memberIdsOf(chat))
}

/** Admins only. Whoever was removed loses the conversation at once, and may not join it again by themselves. */
export async function removeParticipant(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
  { conversation_id, user_id }: Named,
): Promise<Conversation> {
  assertSameConversation(conversationId, conversation_id)
  const userId = user_id.toLowerCase() as UserId
  return changes.commit(pool, async (db, announce) => {
    const chat = await holdConversation(db, callerId, conversationId)
    assertCanManage(chat, callerId)
    if (userId === callerId) throw new Refusal('own_removal')
    const member = memberOf(chat, userId)
    if (!member) throw new Refusal('participant_not_found')
    await takeOut(db, announce, chat, member)
    await queries.insertRemoval(db, chat.id, userId, now())
    return getSeenConversation(db, callerId, chat.id)
  })
}

/** Groups only. An empty one is erased. */
export async function leaveConversation(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    const chat = await holdWithPing(db, callerId, conversationId)
    assertCanLeave(chat)
    await leaveHeld(db, announce, chat, callerId, now())
  })
}

/** Needs the conversation held, with its ping. Of a group whose last admin goes, the one of longest standing becomes admin. */
export async function leaveHeld(
  db: Db,
  announce: Announce,
  chat: queries.HeldChat,
  userId: UserId,
  now: Date,
): Promise<void> {
  const member = memberOf(chat, userId)
  if (!member) return
  if (chat.members.length === 1) return endConversation(db, announce, chat, now)
  const staying = await takeOut(db, announce, chat, member)
  const heir = chat.type === 'group' && heirOf(staying)
  if (!heir) return
  await queries.updateRole(db, chat.id, heir.user_id, 'admin')
  const row = chatRowOf(chat, heir)
  announce.update('chats', { ...row, role: 'admin' }, row, [heir.user_id])
}

/** Answers who stays. */
async function takeOut(
  db: Db,
  announce: Announce,
  chat: queries.HeldChat,
  member: queries.Member,
): Promise<queries.Member[]> {
  await queries.deleteMember(db, chat.id, member.user_id)
  announceGone(announce, chat, member)
  const staying = chat.members.filter(({ user_id }) => user_id !== member.user_id)
  const stayingIds = staying.map(({ user_id }) => user_id)
  announce.delete('message_read_receipts', receiptOf(chat, member), stayingIds)
  return staying
}
