import { type UserId } from '@hither/contract/ids.ts'
import { type createConversation, type Message, messageLimits, messageTexts } from '@hither/contract/messages.ts'
import { type Input } from '@hither/contract/operation.ts'
import { fault, InvalidInput, Refusal } from '../platform/refusal.ts'
import { type HeldChat, type Member } from './members.queries.ts'

/** What a new conversation is to be, once its input is found good. `otherIds` holds each person once, and not the caller. */
export type Plan =
  | { readonly type: 'direct'; readonly otherId: UserId }
  | { readonly type: 'group'; readonly name: string; readonly otherIds: readonly UserId[] }

/** One other, no name and no ping make a direct conversation, all else a group. */
export function planConversation(callerId: UserId, input: Input<typeof createConversation>['body']): Plan {
  // An id may be written in capitals; the database never does.
  const ids = new Set(input.participant_ids.map((id) => id.toLowerCase() as UserId))
  ids.delete(callerId)
  const otherIds = [...ids]
  const [otherId] = otherIds
  if (otherId !== undefined && otherIds.length === 1 && input.name == null && input.ping_id == null)
    return { type: 'direct', otherId }
  const name = input.name?.trim() ?? ''
  const { groupIncomplete } = messageTexts
  if (!isGroupName(name)) throw new InvalidInput(fault('body', 'name')(groupIncomplete))
  if (otherIds.length < messageLimits.groupOthersMin)
    throw new InvalidInput(fault('body', 'participant_ids')(groupIncomplete))
  return { type: 'group', name, otherIds }
}

export function assertMessageable(otherIds: readonly UserId[], friendIds: readonly UserId[]): void {
  const friends = new Set(friendIds)
  if (!otherIds.every((id) => friends.has(id))) throw new Refusal('not_messageable')
}

/** `inviteeIds` are the ping's recipients who still are friends of its owner. */
export function assertInvited(otherIds: readonly UserId[], inviteeIds: readonly UserId[]): void {
  const invitees = new Set(inviteeIds)
  if (!otherIds.every((id) => invitees.has(id)))
    throw new InvalidInput(fault('body', 'participant_ids')(messageTexts.participantsNotInvited))
}

export function readGroupName(text: string): string {
  const name = text.trim()
  if (!isGroupName(name)) throw new InvalidInput(fault('body', 'name')(messageTexts.nameInvalid))
  return name
}

export function readContent(text: string): string {
  const content = text.trim()
  if (content === '' || lengthOf(content) > messageLimits.contentMax)
    throw new InvalidInput(fault('body', 'content')(messageTexts.contentInvalid))
  return content
}

function isGroupName(name: string): boolean {
  return name !== '' && lengthOf(name) <= messageLimits.groupNameMax
}

// In code points, as the database and the contract count.
function lengthOf(text: string): number {
  return [...text].length
}

/** A body may repeat the conversation of the path, and name no other. */
export function assertSameConversation(inPath: string, inBody: string | undefined): void {
  if (inBody !== undefined && inBody.toLowerCase() !== inPath.toLowerCase())
    throw new InvalidInput(fault('body', 'conversation_id')(messageTexts.conversationDiffers))
}

export function assertCanSend(chat: HeldChat): void {
  if (chat.type === 'direct' && !chat.are_friends) throw new Refusal('not_messageable')
}

export function assertCanManage(chat: HeldChat, callerId: UserId): void {
  if (chat.type === 'direct') throw new Refusal('direct_unmanageable')
  if (memberOf(chat, callerId)?.role !== 'admin') throw new Refusal('not_group_admin')
}

export function assertCanLeave(chat: HeldChat): void {
  if (chat.type === 'direct') throw new Refusal('direct_not_left')
}

/** Its sender, and in a group an admin. */
export function assertCanErase(chat: HeldChat, callerId: UserId, message: Message): void {
  if (message.sender_id === callerId) return
  if (chat.type === 'direct' || memberOf(chat, callerId)?.role !== 'admin') throw new Refusal('message_not_yours')
}

export function memberOf(chat: HeldChat, userId: UserId): Member | undefined {
  return chat.members.find(({ user_id }) => user_id === userId)
}

/** Who becomes admin, of those who stay: the one of longest standing where no admin is among them. */
export function heirOf(staying: readonly Member[]): Member | undefined {
  return staying.some(({ role }) => role === 'admin') ? undefined : staying[0]
}
