import type { UserId } from '@hither/contract/ids.ts'
import { feeds } from '../feeds/feeds.ts'
import type { PingChats } from '../pings/ping-chats.ts'
import { inOrder } from '../platform/db/in-order.ts'
import { announceKeeping, chatRowOf, receiptOf } from './chats.service.ts'
import { lockChat, updateDate } from './conversations.queries.ts'
import * as queries from './members.queries.ts'
import { removeMember } from './members.service.ts'
import { memberOf } from './messages.rules.ts'

/** How a ping changes its chat: invitations and their removal the members, and a new end the date. */
export const pingChats: PingChats = {
  async join(tx, announce, conversationId, userIds, now) {
    await lockChat(tx, conversationId)
    const joiningIds = await queries.listJoining(tx, conversationId, userIds)
    if (joiningIds.length === 0) return
    const members = joiningIds.map((userId) => ({ userId, role: 'member' as const }))
    await queries.insertMembers(tx, conversationId, members, now)
    const chat = await queries.findConversationUnchecked(tx, conversationId)
    const joined = (userId: UserId) => chat && memberOf(chat, userId)
    for (const member of joiningIds.map(joined)) {
      if (!chat || !member) continue
      announce.insert('chats', chatRowOf(chat, member), feeds.chats.audience(member))
      announce.insert('message_read_receipts', receiptOf(chat, member), feeds.message_read_receipts.audience(chat))
    }
  },
  async leave(tx, announce, conversationId, userId, now) {
    await lockChat(tx, conversationId)
    const chat = await queries.findConversationUnchecked(tx, conversationId)
    if (chat) await removeMember(tx, announce, chat, userId, now)
  },
  async moveDate(tx, announce, conversationId, { before, after }) {
    const byMs = Date.parse(after) - Date.parse(before)
    if (byMs === 0) return
    const [, chat] = await inOrder([
      updateDate(tx, conversationId, byMs),
      queries.findConversationUnchecked(tx, conversationId),
    ])
    if (!chat?.erase_at) return
    const earlier = new Date(Date.parse(chat.erase_at) - byMs).toISOString()
    announceKeeping(announce, { ...chat, erase_at: earlier }, chat)
  },
}
