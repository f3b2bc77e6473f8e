import { type AuthSession, signup } from '@hither/contract/auth/auth.ts'
import { respondToFriendRequest, sendFriendRequest } from '@hither/contract/friends.ts'
import type { ConversationId, FriendRequestId } from '@hither/contract/ids.ts'
import { createConversation, sendMessage } from '@hither/contract/messages/messages.ts'
import type { CallInput, Operation, Reply } from '@hither/contract/operation.ts'
import { call as callAs, password } from '../../e2e/people.ts'

/** Signs up users. The first one becomes a friend of all others. */
export async function signUpFriends(url: string, count: number): Promise<AuthSession[]> {
  const people: AuthSession[] = []
  for (let n = 0; n < count; n++) people.push(await signUp(url, `p${n}`))
  const [first, ...others] = people as [AuthSession, ...AuthSession[]]
  for (const other of others) await befriend(url, first, other)
  return people
}

export async function signUp(url: string, username: string): Promise<AuthSession> {
  const body = { email: `${username}@example.org`, username, password }
  return (await call(url, signup, { body })) as AuthSession
}

export async function befriend(url: string, asking: AuthSession, accepting: AuthSession): Promise<void> {
  const { id } = await call(url, sendFriendRequest, { body: { username: accepting.user.username } }, asking)
  const params = { id: id as FriendRequestId }
  await call(url, respondToFriendRequest, { params, body: { action: 'accepted' } }, accepting)
}

/** Creates a group of these users, as the first of them. */
export async function makeGroup(
  url: string,
  [first, ...others]: readonly AuthSession[],
  name: string,
): Promise<ConversationId> {
  const body = { name, participant_ids: others.map(({ user }) => user.id) }
  return (await call(url, createConversation, { body }, first)).id
}

export function say(url: string, as: AuthSession, conversation_id: ConversationId, content: string): Promise<unknown> {
  return call(url, sendMessage, { body: { conversation_id, content } }, as)
}

/** Calls an operation over HTTP. Throws on an error status. */
export function call<O extends Operation>(
  url: string,
  operation: O,
  input: CallInput<O>,
  as?: AuthSession,
): Promise<Reply<O>> {
  return callAs(url, operation, input, as && { session: as })
}
