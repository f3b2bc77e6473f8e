import { type AuthSession, signup } from '@hither/contract/auth/auth.ts'
import { respondToFriendRequest, sendFriendRequest } from '@hither/contract/friends.ts'
import type { FriendRequestId } from '@hither/contract/ids.ts'
import type { CallInput, Operation, Reply } from '@hither/contract/operation.ts'
import { type CreatePing, createPing, type Ping } from '@hither/contract/pings.ts'
import { filledPath, splitAddress } from '@hither/contract/runtime/address.ts'

export const password = 'correct horse battery'

interface SignedIn {
  readonly session: AuthSession
}

export interface Person extends SignedIn {
  readonly username: string
  readonly email: string
}

/** Calls an operation of the contract over HTTP. Throws on an error status. */
export async function call<O extends Operation>(
  base: string,
  operation: O,
  input: CallInput<O>,
  as?: SignedIn,
): Promise<Reply<O>> {
  const { params = {}, body } = input as { params?: Record<string, string>; body?: unknown }
  const path = filledPath(operation.address, params)
  const response = await fetch(`${base}/api${path}`, {
    method: splitAddress(operation.address).method,
    headers: {
      ...(as && { authorization: `Bearer ${as.session.access_token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${operation.address} answered ${response.status}: ${await response.text()}`)
  return (response.status === 204 ? null : await response.json()) as Reply<O>
}

/** Signs up a user with a unique name, because all tests share one server. */
export async function signUp(base: string, name: string): Promise<Person> {
  const username = `${name}-${crypto.randomUUID().slice(0, 8)}`
  const email = `${username}@example.org`
  const session = await call(base, signup, { body: { email, password, username } })
  if (!('access_token' in session)) throw new Error('This server confirms addresses')
  return { username, email, session }
}

export async function befriend(base: string, a: Person, b: Person): Promise<void> {
  const request = await call(base, sendFriendRequest, { body: { username: b.username } }, a)
  await call(
    base,
    respondToFriendRequest,
    { params: { id: request.id as FriendRequestId }, body: { action: 'accepted' } },
    b,
  )
}

export function dropPing(base: string, owner: Person, ping: Partial<CreatePing> = {}): Promise<Ping> {
  const body = { name: 'Coffee at Nero', latitude: 40.7589, longitude: -73.9851, ...ping }
  return call(base, createPing, { body }, owner)
}

/** The browser storage of this user after signing in. */
export function storageOf(origin: string, { session }: SignedIn) {
  const localStorage = Object.entries(entriesOf(session)).map(([name, value]) => ({ name, value }))
  return { cookies: [], origins: [{ origin, localStorage }] }
}

/** The same entries by name. */
export function entriesOf({ access_token, refresh_token, expires_at, user }: AuthSession): Record<string, string> {
  return { access_token, refresh_token, expires_at: String(expires_at), user: JSON.stringify(user) }
}
