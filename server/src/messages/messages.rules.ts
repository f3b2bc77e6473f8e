import type { UserId } from '@hither/contract/ids.ts'
import type { createConversation, Message } from '@hither/contract/messages/messages.ts'
import type { Input } from '@hither/contract/operation.ts'
import { type MessageFault, messageLimits } from '@hither/contract/runtime/messages/messages.ts'
import { cleanText, isName, isVisible } from '@hither/contract/runtime/texts.ts'
import { fieldError, InvalidInput, Refusal } from '../platform/errors/refusal.ts'
import type { ChatWithMembers, Member } from './members.queries.ts'

/** A new conversation after validation. `otherIds` has no duplicates and does not contain the caller. */
export type Plan =
  | { readonly type: 'direct'; readonly otherId: UserId }
  | { readonly type: 'group'; readonly name: string; readonly otherIds: readonly UserId[] }

/** Exactly one other user, without a name and a ping, makes a direct conversation; everything else makes a group. */
export function planConversation(callerId: UserId, input: Input<typeof createConversation>['body']): Plan {
  // Clients may write an id in upper case; the database stores lower case.
  const ids = new Set(input.participant_ids.map((id) => id.toLowerCase() as UserId))
  ids.delete(callerId)
  const otherIds = [...ids]
  const [otherId] = otherIds
  if (otherId !== undefined && otherIds.length === 1 && input.name == null && input.ping_id == null)
    return { type: 'direct', otherId }
  const name = input.name?.trim() ?? ''
  assertGroupName(name, 'group_incomplete')
  if (otherIds.length < messageLimits.groupOthersMin)
    throw new InvalidInput(fieldError('body', 'participant_ids')('group_incomplete'))
  return { type: 'group', name, otherIds }
}

export function assertMessageable(otherIds: readonly UserId[], friendIds: readonly UserId[]): void {
  const friends = new Set(friendIds)
  if (!otherIds.every((id) => friends.has(id))) throw new Refusal('not_messageable')
}

/** `inviteeIds` are the invitees of the ping who are still friends of its owner. */
export function assertInvited(otherIds: readonly UserId[], inviteeIds: readonly UserId[]): void {
  const invitees = new Set(inviteeIds)
  if (!otherIds.every((id) => invitees.has(id)))
    throw new InvalidInput(fieldError('body', 'participant_ids')('participants_not_invited'))
}

const dayMs = 86_400_000

/** Returns when the chat of a ping is erased; `null` if it stays. */
export function dateOf(pingEndsAt: string, keepDays: number): Date | null {
  return keepDays === 0 ? null : new Date(Date.parse(pingEndsAt) + keepDays * dayMs)
}

export function readGroupName(text: string): string {
  const name = text.trim()
  assertGroupName(name, 'group_name_invalid')
  return name
}

/** `mayBeEmpty` is true for the caption of an attachment. */
export function readContent(text: string | null | undefined, mayBeEmpty = false): string {
  const content = cleanText(text ?? '').trim()
  if ((content === '' && !mayBeEmpty) || lengthOf(content) > messageLimits.contentMax)
    throw faultAt('message_invalid', 'body', 'content')
  return content
}

/** An error with status 422 that has a code and a text of its own. */
export function faultAt(fault: MessageFault, ...loc: Parameters<typeof fieldError>): InvalidInput {
  return new InvalidInput(fieldError(...loc)(fault, fault))
}

function assertGroupName(name: string, fault: 'group_incomplete' | 'group_name_invalid'): void {
  const atName = fieldError('body', 'name')
  if (!isVisible(name) || lengthOf(name) > messageLimits.groupNameMax) throw new InvalidInput(atName(fault))
  if (!isName(name)) throw new InvalidInput(atName('name_hidden'))
}

// Lengths are in code points, as in the database and the contract.
function lengthOf(text: string): number {
  return [...text].length
}

/** The body may repeat the conversation id of the path, but not name a different one. */
export function assertSameConversation(inPath: string, inBody: string | undefined): void {
  if (inBody !== undefined && inBody.toLowerCase() !== inPath.toLowerCase())
    throw new InvalidInput(fieldError('body', 'conversation_id')('conversation_differs'))
}

export function canSend(chat: ChatWithMembers): boolean {
  return chat.type === 'group' || chat.are_friends
}

export function assertCanSend(chat: ChatWithMembers): void {
  if (!canSend(chat)) throw new Refusal('not_messageable')
}

export function assertCanManage(chat: ChatWithMembers, callerId: UserId): void {
  if (chat.type === 'direct') throw new Refusal('direct_unmanageable')
  if (memberOf(chat, callerId)?.role !== 'admin') throw new Refusal('not_group_admin')
}

export function assertCanLeave(chat: ChatWithMembers): void {
  if (chat.type === 'direct') throw new Refusal('direct_not_left')
}

/** Only the sender, and in a group also an admin, may delete a message. */
export function assertCanErase(chat: ChatWithMembers, callerId: UserId, message: Message): void {
  if (message.sender_id === callerId) return
  if (chat.type === 'direct' || memberOf(chat, callerId)?.role !== 'admin') throw new Refusal('message_not_yours')
}

export function memberOf(chat: ChatWithMembers, userId: UserId): Member | undefined {
  return chat.members.find(({ user_id }) => user_id === userId)
}

/** Returns the member to make admin if no remaining member is one: the one who joined first. */
export function nextAdmin(staying: readonly Member[]): Member | undefined {
  return staying.some(({ role }) => role === 'admin') ? undefined : staying[0]
}
