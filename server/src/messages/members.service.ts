import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import type { Conversation } from '@hither/contract/messages/messages.ts'
import type { Announce } from '../events/changes.ts'
import { feeds } from '../feeds/feeds.ts'
import { findAccess } from '../pings/pings.service.ts'
import type { Tx } from '../platform/db/database.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import { listFriendIds } from '../relations/relations.service.ts'
import { lockConversationPingOwnerShared, lockUserShared } from '../users/user-locks.ts'
import {
  announceGone,
  announceKeeping,
  chatRowOf,
  endConversation,
  getSeenConversation,
  lockConversation,
  lockConversationAndPing,
  type MessagesDeps,
  receiptOf,
} from './chats.service.ts'
import { findPingOf, type LockedConversation, lockChat } from './conversations.queries.ts'
import * as queries from './members.queries.ts'
import { assertCanLeave, assertCanManage, assertSameConversation, memberOf, nextAdmin } from './messages.rules.ts'

interface Named {
  readonly conversation_id?: ConversationId
  readonly user_id: UserId
}

/**
 * Adds the caller to the chat of a ping, for its owner and invitees, or to a group that the caller left. Not for those whom an
 * admin has removed.
 */
export async function joinConversation(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
): Promise<Conversation> {
  return changes.commit(pool, async (tx, announce) => {
    await lockConversationPingOwnerShared(tx, conversationId)
    const locked = await lockChat(tx, conversationId)
    const at = now()
    if (!(await queries.findChatOfCaller(tx, callerId, conversationId, at))) {
      const pingId = await findPingOf(tx, conversationId, at)
      const access = pingId && (await findAccess(tx, callerId, pingId, at))
      const isInvited = access === 'owner' || access === 'invitee'
      const absence = await queries.findAbsence(tx, conversationId, callerId, at)
      if (absence === 'removed' || !(isInvited || absence === 'left')) throw new Refusal('conversation_not_found')
      await queries.deleteAbsence(tx, conversationId, pingId, callerId)
      await addMember(tx, announce, locked, callerId, at)
    }
    return getSeenConversation(tx, callerId, conversationId, at)
  })
}

/**
 * Adds a friend of the caller to a group. Admins only. Succeeds without a change if the user is a member already. Who left can
 * only join again themselves.
 */
export async function addParticipant(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
  { conversation_id, user_id }: Named,
): Promise<Conversation> {
  assertSameConversation(conversationId, conversation_id)
  const userId = user_id.toLowerCase() as UserId
  return changes.commit(pool, async (tx, announce) => {
    // The lock keeps the friendship until the transaction ends.
    if (!(await lockUserShared(tx, callerId))) throw new Refusal('authentication_required')
    const chat = await lockConversation(tx, callerId, conversationId, now())
    assertCanManage(chat, callerId)
    const at = now()
    if (!memberOf(chat, userId)) {
      if (!(await listFriendIds(tx, callerId)).includes(userId)) throw new Refusal('not_addable')
      const absence = await queries.findAbsence(tx, chat.id, userId, at)
      if (absence !== null && absence !== 'removed') throw new Refusal('participant_left')
      await queries.deleteAbsence(tx, chat.id, chat.ping_id, userId)
      await addMember(tx, announce, chat.id, userId, at)
    }
    return getSeenConversation(tx, callerId, chat.id, at)
  })
}

/** Adds members and announces it. */
async function addMember(
  tx: Tx,
  announce: Announce,
  conversationId: LockedConversation,
  userId: UserId,
  now: Date,
): Promise<void> {
  await queries.insertMembers(tx, conversationId, [{ userId, role: 'member' }], now)
  const chat = await queries.findChatOfCaller(tx, userId, conversationId, now)
  const member = chat && memberOf(chat, userId)
  if (!member) throw new Refusal('conversation_not_found')
  announce.insert('chats', chatRowOf(chat, member), feeds.chats.audience(member))
  announce.insert('message_read_receipts', receiptOf(chat, member), feeds.message_read_receipts.audience(chat))
}

/**
 * Removes a member from a group. Admins only. The removed user loses access at once and cannot join again without an
 * admin.
 */
export async function removeParticipant(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
  { conversation_id, user_id }: Named,
): Promise<Conversation> {
  assertSameConversation(conversationId, conversation_id)
  const userId = user_id.toLowerCase() as UserId
  return changes.commit(pool, async (tx, announce) => {
    const chat = await lockConversation(tx, callerId, conversationId, now())
    assertCanManage(chat, callerId)
    if (userId === callerId) throw new Refusal('own_removal')
    const member = memberOf(chat, userId)
    if (!member) throw new Refusal('participant_not_found')
    await deleteMembership(tx, announce, chat, member)
    const at = now()
    await queries.insertAbsence(tx, chat, userId, 'removed', at)
    return getSeenConversation(tx, callerId, chat.id, at)
  })
}

/** Removes the caller from a group. Groups only. A group without members is deleted. */
export async function leaveConversation(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
): Promise<void> {
  await changes.commit(pool, async (tx, announce) => {
    const chat = await lockConversationAndPing(tx, callerId, conversationId, now())
    assertCanLeave(chat)
    await queries.insertAbsence(tx, chat, callerId, 'left', now())
    await removeMember(tx, announce, chat, callerId, now())
  })
}

/**
 * Removes a member and announces it. Needs `lockConversationAndPing`. If the last admin leaves, the member who joined
 * first becomes admin.
 */
export async function removeMember(
  tx: Tx,
  announce: Announce,
  chat: queries.ChatWithMembers,
  userId: UserId,
  now: Date,
): Promise<void> {
  const member = memberOf(chat, userId)
  if (!member) return
  if (chat.members.length === 1) return endConversation(tx, announce, chat, now)
  const staying = await deleteMembership(tx, announce, chat, member)
  const successor = chat.type === 'group' && nextAdmin(staying.members)
  if (!successor) return
  await queries.updateRole(tx, chat.id, successor.user_id, 'admin')
  const row = chatRowOf(staying, successor)
  announce.update('chats', { ...row, role: 'admin' }, row, feeds.chats.audience(successor))
}

/** Deletes the membership, with a request to keep the chat, and returns the chat with the remaining members. */
async function deleteMembership(
  tx: Tx,
  announce: Announce,
  chat: queries.ChatWithMembers,
  member: queries.Member,
): Promise<queries.ChatWithMembers> {
  await queries.deleteMember(tx, chat.id, member.user_id)
  announceGone(announce, chat, member)
  const staying = { ...chat, members: chat.members.filter(({ user_id }) => user_id !== member.user_id) }
  announce.delete('message_read_receipts', receiptOf(chat, member), feeds.message_read_receipts.audience(staying))
  if (chat.keep_requester_id !== member.user_id) return staying
  const after = { ...staying, keep_requester_id: null }
  announceKeeping(announce, staying, after)
  return after
}
