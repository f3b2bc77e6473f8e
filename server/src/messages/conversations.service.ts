import type { ConversationId, PingId, UserId } from '@hither/contract/ids.ts'
import type {
  Conversation,
  ConversationDetails,
  ConversationSummary,
  createConversation as createOperation,
} from '@hither/contract/messages/messages.ts'
import type { Input } from '@hither/contract/operation.ts'
import { isUuid } from '@hither/contract/runtime/uuid.ts'
import type { Announce } from '../events/changes.ts'
import { feeds } from '../feeds/feeds.ts'
import { announcePingExtra } from '../pings/ping-extras.service.ts'
import { getSeenPing } from '../pings/pings.service.ts'
import { ConcurrentChangeError, retryConflicts } from '../platform/db/conflicts.ts'
import type { Db, Tx } from '../platform/db/database.ts'
import { newId } from '../platform/db/ids.ts'
import { type JsonText, jsonOf } from '../platform/db/json-text.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { Page as ListPage } from '../platform/http/pages.ts'
import { listFriendIds } from '../relations/relations.service.ts'
import { lockUserShared } from '../users/user-locks.ts'
import {
  chatRowOf,
  endConversation,
  getSeenConversation,
  lockConversation,
  lockConversationAndPing,
  type MessagesDeps,
} from './chats.service.ts'
import * as queries from './conversations.queries.ts'
import { findAbsence, findConversationUnchecked, insertMembers, listLeavers } from './members.queries.ts'
import {
  assertCanManage,
  assertInvited,
  assertMessageable,
  assertSameConversation,
  dateOf,
  type Plan,
  planConversation,
  readGroupName,
} from './messages.rules.ts'
import { cutPage, type PageQuery, readPage } from './pages.rules.ts'

/** Lists the conversations of a user, the one with the latest message first. */
export async function listConversations(
  { pool, now }: MessagesDeps,
  viewerId: UserId,
  page: ListPage<ConversationId>,
): Promise<JsonText<Conversation[]>> {
  return jsonOf(await queries.listConversations(pool, viewerId, now(), page))
}

/** Like `listConversations`, without participants. */
export async function listSummaries(
  { pool, now }: MessagesDeps,
  viewerId: UserId,
  page: ListPage<ConversationId>,
): Promise<JsonText<ConversationSummary[]>> {
  return jsonOf(await queries.listSummaries(pool, viewerId, now(), page))
}

/**
 * Returns a conversation with its newest messages, or with those before, after or around a message, which may have been
 * deleted since.
 */
export async function getConversation(
  { pool, now }: MessagesDeps,
  viewerId: UserId,
  conversationId: ConversationId,
  query: PageQuery,
): Promise<ConversationDetails> {
  const page = readPage(query)
  const at = now()
  const [found] = await queries.findPage(pool, viewerId, conversationId, at, page)
  if (!found) {
    const absence = await findAbsence(pool, conversationId, viewerId, at)
    throw new Refusal(absence === 'left' ? 'conversation_left' : 'conversation_not_found')
  }
  const { total, anchor_seq: anchorSeq, has_older, has_newer, messages, ...conversation } = found
  if (page.anchor !== null && anchorSeq === null) throw new Refusal('message_not_found')
  const cut = cutPage(page, messages, anchorSeq)
  const { limit, offset } = page
  return {
    ...conversation,
    message_details: {
      ...{ messages: cut.messages, total, limit, offset },
      has_more: cut.hasOlder || has_older,
      has_newer: cut.hasNewer || has_newer || (offset > 0 && total > 0),
    },
  }
}

export interface CreationDeps extends MessagesDeps {
  /** How many days after the end of a ping its chat is erased. 0: new chats stay. */
  readonly pingChatKeepDays: number
}

interface CreatedConversation {
  readonly conversation: Conversation
  /** Whether this call created the conversation. */
  readonly isNew: boolean
}

export async function createConversation(
  { pool, changes, now, pingChatKeepDays }: CreationDeps,
  callerId: UserId,
  input: Input<typeof createOperation>['body'],
): Promise<CreatedConversation> {
  const plan = planConversation(callerId, input)
  return retryConflicts(() =>
    changes.commit(pool, async (tx, announce) => {
      // Keeps the caller's friendships and pings and the audience of those unchanged until the transaction ends.
      if (!(await lockUserShared(tx, callerId))) throw new Refusal('authentication_required')
      if (plan.type === 'direct') return createDirect(tx, announce, callerId, plan.otherId, now())
      const ping = input.ping_id ? { id: input.ping_id, systemCreated: input.system_created ?? false } : null
      return createGroup({ tx, announce, pingChatKeepDays }, callerId, plan, ping, now())
    }),
  )
}

async function createDirect(
  tx: Tx,
  announce: Announce,
  callerId: UserId,
  otherId: UserId,
  now: Date,
): Promise<CreatedConversation> {
  assertMessageable([otherId], await listFriendIds(tx, callerId))
  const pair = [callerId, otherId] as const
  const id = newId<ConversationId>()
  const chat = { id, type: 'direct', name: null, pingId: null, systemCreated: false, pair, date: null, now } as const
  if (await queries.insertChat(tx, chat)) {
    await insertMembers(
      tx,
      id,
      pair.map((userId) => ({ userId, role: 'member' })),
      now,
    )
    return present(tx, announce, callerId, id, now)
  }
  const existing = await queries.findPairChat(tx, callerId, otherId)
  // The conversation was deleted in between.
  if (!existing) throw new ConcurrentChangeError()
  return { conversation: await getSeenConversation(tx, callerId, existing, now), isNew: false }
}

/** `ping` is the caller's ping if the group is the chat of a ping. */
async function createGroup(
  { tx, announce, pingChatKeepDays }: { tx: Tx; announce: Announce; pingChatKeepDays: number },
  callerId: UserId,
  { name, otherIds }: Extract<Plan, { type: 'group' }>,
  ping: { id: PingId; systemCreated: boolean } | null,
  now: Date,
): Promise<CreatedConversation> {
  let date: Date | null = null
  if (ping) {
    const { inviteeIds, endsAt } = await getOwnPing(tx, callerId, ping.id, now)
    const existing = await queries.findPingChat(tx, ping.id)
    if (existing) return { conversation: await getSeenConversation(tx, callerId, existing, now), isNew: false }
    assertInvited(otherIds, inviteeIds)
    if (ping.systemCreated) date = dateOf(endsAt, pingChatKeepDays)
  } else {
    assertMessageable(otherIds, await listFriendIds(tx, callerId))
  }
  const id = newId<ConversationId>()
  const [pingId, systemCreated] = [ping?.id ?? null, ping?.systemCreated ?? false]
  const isNew = await queries.insertChat(tx, {
    ...{ id, type: 'group', name, pingId, systemCreated, pair: null, now },
    date: date && { eraseAt: date, pingOwnerId: callerId },
  })
  // A concurrent call created it.
  if (!isNew) throw new ConcurrentChangeError()
  const left = pingId ? await listLeavers(tx, pingId, otherIds) : []
  const willing = systemCreated ? await queries.listAutoJoining(tx, otherIds) : otherIds
  const joiningIds = willing.filter((userId) => !left.includes(userId))
  const members = joiningIds.map((userId) => ({ userId, role: 'member' as const }))
  await insertMembers(tx, id, [{ userId: callerId, role: 'admin' }, ...members], now)
  if (pingId) await announcePingExtra(tx, announce, pingId, { conversation_id: null }, now)
  return present(tx, announce, callerId, id, now)
}

/** Returns the end of the caller's ping, and the users whom the caller has invited to it and who are still friends. */
async function getOwnPing(
  tx: Tx,
  callerId: UserId,
  pingId: PingId,
  now: Date,
): Promise<{ inviteeIds: UserId[]; endsAt: string }> {
  const ping = await getSeenPing(tx, callerId, pingId, now)
  if (ping.access !== 'owner') throw new Refusal('ping_chat_not_owned')
  return { inviteeIds: ping.recipients.map(({ recipient_id }) => recipient_id), endsAt: ping.expires_at }
}

/** Returns a conversation that was just created and announces it to all members. */
async function present(
  tx: Tx,
  announce: Announce,
  callerId: UserId,
  id: ConversationId,
  now: Date,
): Promise<CreatedConversation> {
  const chat = await findConversationUnchecked(tx, id)
  for (const member of chat?.members ?? [])
    if (chat) announce.insert('chats', chatRowOf(chat, member), feeds.chats.audience(member))
  return { conversation: await getSeenConversation(tx, callerId, id, now), isNew: true }
}

/** Renames a group. Admins only. */
export async function renameConversation(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
  body: { conversation_id?: ConversationId; name: string },
): Promise<Conversation> {
  assertSameConversation(conversationId, body.conversation_id)
  const name = readGroupName(body.name)
  return changes.commit(pool, async (tx, announce) => {
    const chat = await lockConversation(tx, callerId, conversationId, now())
    assertCanManage(chat, callerId)
    if (name !== chat.name) {
      await queries.updateName(tx, chat.id, name)
      for (const member of chat.members) {
        const row = chatRowOf(chat, member)
        announce.update('chats', { ...row, name }, row, feeds.chats.audience(member))
      }
    }
    return getSeenConversation(tx, callerId, chat.id, now())
  })
}

/** Deletes a group with all its messages for all members. Admins only. */
export async function deleteConversation(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
): Promise<void> {
  await changes.commit(pool, async (tx, announce) => {
    const chat = await lockConversationAndPing(tx, callerId, conversationId, now())
    assertCanManage(chat, callerId)
    await endConversation(tx, announce, chat, now())
  })
}

/** Returns whether a user is a member of a conversation and may see it. */
export async function isMember(db: Db, conversationId: ConversationId, userId: UserId, now: Date): Promise<boolean> {
  // The id comes from a channel topic, which may be any text.
  return isUuid(conversationId) && queries.isMember(db, conversationId, userId, now)
}
