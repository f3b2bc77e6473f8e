import { type ConversationId, type MessageId, type PingId, type UserId } from '@hither/contract/ids.ts'
import {
  type Conversation,
  type ConversationDetails,
  type ConversationSummary,
  type createConversation as createOperation,
  messageLimits,
} from '@hither/contract/messages.ts'
import { type Input } from '@hither/contract/operation.ts'
import { listFriendIds } from '../friends/friends.service.ts'
import { announceChat } from '../pings/ping-chats.service.ts'
import { getSeenPing } from '../pings/pings.service.ts'
import { type Announce } from '../platform/changes.ts'
import { Moved, retryConflicts } from '../platform/conflicts.ts'
import { type Db } from '../platform/database.ts'
import { newId } from '../platform/ids.ts'
import { Refusal } from '../platform/refusal.ts'
import { isUuid } from '../platform/uuid.ts'
import {
  chatRowOf,
  endConversation,
  getSeenConversation,
  holdConversation,
  holdWithPing,
  type MessagesDeps,
} from './chats.service.ts'
import * as queries from './conversations.queries.ts'
import { findHeldByNobody, insertMembers } from './members.queries.ts'
import {
  assertCanManage,
  assertInvited,
  assertMessageable,
  assertSameConversation,
  type Plan,
  planConversation,
  readGroupName,
} from './messages.rules.ts'

/** The one with the latest message first. */
export async function listConversations({ pool }: MessagesDeps, viewerId: UserId): Promise<Conversation[]> {
  return queries.listConversations(pool, viewerId)
}

/** The same without participants. */
export async function listSummaries({ pool }: MessagesDeps, viewerId: UserId): Promise<ConversationSummary[]> {
  return queries.listSummaries(pool, viewerId)
}

export interface Page {
  readonly limit?: number
  readonly offset?: number
  readonly before?: MessageId
}

/** With the newest messages, or those before one that is named; that one may have been deleted meanwhile. */
export async function getConversation(
  { pool }: MessagesDeps,
  viewerId: UserId,
  conversationId: ConversationId,
  { limit = messageLimits.pageDefault, offset = 0, before }: Page,
): Promise<ConversationDetails> {
  const page = { before: before ?? null, limit, offset }
  const [found] = await queries.findPage(pool, viewerId, conversationId, page)
  if (!found) throw new Refusal('conversation_not_found')
  const { total, before_seq: beforeSeq, messages, ...conversation } = found
  if (before !== undefined && beforeSeq === null) throw new Refusal('message_not_found')
  const has_more = messages.length > limit
  if (has_more) messages.shift()
  return { ...conversation, message_details: { messages, total, limit, offset, has_more } }
}

export interface Made {
  readonly conversation: Conversation
  /** Whether it is there by this call. */
  readonly isNew: boolean
}

export async function createConversation(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  input: Input<typeof createOperation>['body'],
): Promise<Made> {
  const plan = planConversation(callerId, input)
  return retryConflicts(() =>
    changes.commit(pool, async (db, announce) => {
      // The caller's friendships, pings and whom those are shown to stay as they are meanwhile.
      if (!(await queries.lockPerson(db, callerId))) throw new Refusal('authentication_required')
      if (plan.type === 'direct') return createDirect(db, announce, callerId, plan.otherId, now())
      const ping = input.ping_id ? { id: input.ping_id, systemCreated: input.system_created ?? false } : null
      return createGroup(db, announce, callerId, plan, ping, now())
    }),
  )
}

async function createDirect(db: Db, announce: Announce, callerId: UserId, otherId: UserId, now: Date): Promise<Made> {
  assertMessageable([otherId], await listFriendIds(db, callerId))
  const pair = [callerId, otherId] as const
  const id = newId<ConversationId>()
  const chat = { id, type: 'direct', name: null, pingId: null, systemCreated: false, pair, now } as const
  if (await queries.insertChat(db, chat)) {
    await insertMembers(
      db,
      id,
      pair.map((userId) => ({ userId, role: 'member' })),
      now,
    )
    return present(db, announce, callerId, id)
  }
  const existing = await queries.findPairChat(db, callerId, otherId)
  // It went in between.
  if (!existing) throw new Moved()
  return { conversation: await getSeenConversation(db, callerId, existing), isNew: false }
}

/** `ping` is the own one whose chat it is to be. */
async function createGroup(
  db: Db,
  announce: Announce,
  callerId: UserId,
  { name, otherIds }: Extract<Plan, { type: 'group' }>,
  ping: { id: PingId; systemCreated: boolean } | null,
  now: Date,
): Promise<Made> {
  if (ping) {
    const inviteeIds = await listInvitees(db, callerId, ping.id, now)
    const existing = await queries.findPingChat(db, ping.id)
    if (existing) return { conversation: await getSeenConversation(db, callerId, existing), isNew: false }
    assertInvited(otherIds, inviteeIds)
  } else {
    assertMessageable(otherIds, await listFriendIds(db, callerId))
  }
  const id = newId<ConversationId>()
  const [pingId, systemCreated] = [ping?.id ?? null, ping?.systemCreated ?? false]
  const isNew = await queries.insertChat(db, { id, type: 'group', name, pingId, systemCreated, pair: null, now })
  // Another call made one meanwhile.
  if (!isNew) throw new Moved()
  const joiningIds = systemCreated ? await queries.listAutoJoining(db, otherIds) : otherIds
  const members = joiningIds.map((userId) => ({ userId, role: 'member' as const }))
  await insertMembers(db, id, [{ userId: callerId, role: 'admin' }, ...members], now)
  if (pingId) await announceChat(db, announce, pingId, null, now)
  return present(db, announce, callerId, id)
}

/** Those whom the caller has invited to their ping and who still are friends. */
async function listInvitees(db: Db, callerId: UserId, pingId: PingId, now: Date): Promise<UserId[]> {
  const ping = await getSeenPing(db, callerId, pingId, now)
  if (ping.sight !== 'owner') throw new Refusal('ping_chat_not_owned')
  return ping.recipients.map(({ recipient_id }) => recipient_id)
}

/** A conversation that was just made, told to everyone in it. */
async function present(db: Db, announce: Announce, callerId: UserId, id: ConversationId): Promise<Made> {
  const chat = await findHeldByNobody(db, id)
  for (const member of chat?.members ?? [])
    if (chat) announce.insert('chats', chatRowOf(chat, member), [member.user_id])
  return { conversation: await getSeenConversation(db, callerId, id), isNew: true }
}

/** Admins only. */
export async function renameConversation(
  { pool, changes }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
  body: { conversation_id?: ConversationId; name: string },
): Promise<Conversation> {
  assertSameConversation(conversationId, body.conversation_id)
  const name = readGroupName(body.name)
  return changes.commit(pool, async (db, announce) => {
    const chat = await holdConversation(db, callerId, conversationId)
    assertCanManage(chat, callerId)
    if (name !== chat.name) {
      await queries.updateName(db, chat.id, name)
      for (const member of chat.members) {
        const row = chatRowOf(chat, member)
        announce.update('chats', { ...row, name }, row, [member.user_id])
      }
    }
    return getSeenConversation(db, callerId, chat.id)
  })
}

/** Admins only: with all its messages, for everyone in it. */
export async function deleteConversation(
  { pool, changes, now }: MessagesDeps,
  callerId: UserId,
  conversationId: ConversationId,
): Promise<void> {
  await changes.commit(pool, async (db, announce) => {
    const chat = await holdWithPing(db, callerId, conversationId)
    assertCanManage(chat, callerId)
    await endConversation(db, announce, chat, now())
  })
}

/** Whether someone is in a conversation, and sees it. */
export async function isMember(db: Db, conversationId: ConversationId, userId: UserId): Promise<boolean> {
  // It comes as a topic, which may be any text.
  return isUuid(conversationId) && queries.isMember(db, conversationId, userId)
}
