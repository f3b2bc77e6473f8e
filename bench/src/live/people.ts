import { type AuthSession, signup } from '@hither/contract/auth.ts'
import { respondToFriendRequest, sendFriendRequest } from '@hither/contract/friends.ts'
import { createConversation, sendMessage } from '@hither/contract/messages.ts'
import { type Operation } from '@hither/contract/operation.ts'

/** The first is a friend of all others. */
export async function signUpFriends(url: string, count: number): Promise<AuthSession[]> {
  const people: AuthSession[] = []
  for (let n = 0; n < count; n++) {
    const body = { email: `p${n}@example.org`, username: `p${n}`, password: 'correct horse battery' }
    people.push((await call(url, signup, null, body)) as AuthSession)
  }
  const [first, ...others] = people as [AuthSession, ...AuthSession[]]
  for (const other of others) {
    const { id } = (await call(url, sendFriendRequest, first, { username: other.user.username })) as { id: string }
    await call(url, respondToFriendRequest, other, { action: 'accepted' }, id)
  }
  return people
}

/** A group of these, made by the first of them. */
export async function makeGroup(
  url: string,
  [first, ...others]: readonly AuthSession[],
  name: string,
): Promise<string> {
  const body = { name, participant_ids: others.map(({ user }) => user.id) }
  return ((await call(url, createConversation, first ?? null, body)) as { id: string }).id
}

export function say(url: string, as: AuthSession, conversation_id: string, content: string): Promise<unknown> {
  return call(url, sendMessage, as, { conversation_id, content })
}

async function call(
  url: string,
  operation: Operation,
  as: AuthSession | null,
  body: unknown,
  id = '',
): Promise<unknown> {
  const response = await fetch(`${url}/api${operation.path.replace(':id', id)}`, {
    method: operation.method,
    headers: { 'content-type': 'application/json', ...(as && { authorization: `Bearer ${as.access_token}` }) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${operation.path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}
