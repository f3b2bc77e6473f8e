import { login, refresh } from '@hither/contract/auth/auth.ts'
import { blockUser, respondToFriendRequest, sendFriendRequest } from '@hither/contract/friends.ts'
import type { FriendRequestId } from '@hither/contract/ids.ts'
import { createPing, respondToPing } from '@hither/contract/pings.ts'
import { deleteAccount } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { race } from '../../test/race.ts'

let server: TestServer
let number = 0
let ann: Person
let bob: Person

beforeAll(async () => {
  server = await startServer()
})

beforeEach(async () => {
  number++
  ann = await server.signUp(`ann${number}`)
  bob = await server.signUp(`bob${number}`)
})

afterAll(() => server.close())

const place = { name: 'Here', latitude: 0, longitude: 0, duration_minutes: 30 as const }

const erase = () => server.call(deleteAccount, { body: { password } }, ann)
const dropPing = () => server.call(createPing, { body: place }, bob)

/** Starts the calls one after another while both users are locked. */
async function statusesOf(...calls: (() => Promise<{ status: number }>)[]) {
  const lock = (db: Parameters<Parameters<typeof race>[1]>[0]) =>
    db`select id from users where id in (${ann.id}, ${bob.id}) order by id for update`
  return (await race(server.db, lock, ...calls)).map(({ status }) => status)
}

async function countOf(person: Person) {
  const [row] = await server.db<{ count: number }[]>`
    select (select count(*) from friendships where ${person.id} in (requester_id, requested_id))
      + (select count(*) from friend_requests where ${person.id} in (from_user_id, to_user_id))
      + (select count(*) from ping_recipients where recipient_id = ${person.id})
      + (select count(*) from users where id = ${person.id}) as count`
  return Number(row?.count)
}

it('a ping created while a friend deletes their account does not invite the deleted user', async () => {
  await server.befriend(ann, bob)
  const cat = await server.signUp(`cat${number}`)
  await server.befriend(bob, cat)
  expect(await statusesOf(erase, dropPing)).toEqual([204, 201])
  expect(await countOf(ann)).toBe(0)
})

it('a ping created just before the deletion of an account is no longer visible to the deleted user', async () => {
  await server.befriend(ann, bob)
  await server.befriend(bob, await server.signUp(`cat${number}`))
  expect(await statusesOf(dropPing, erase)).toEqual([201, 204])
  expect(await countOf(ann)).toBe(0)
})

it('a request accepted while an account is deleted makes no friendship with the deleted user', async () => {
  const { body } = await server.call(sendFriendRequest, { body: { username: bob.username } }, ann)
  const accept = () => {
    const params = { id: body.id as FriendRequestId }
    return server.call(respondToFriendRequest, { params, body: { action: 'accepted' } }, bob)
  }
  expect(await statusesOf(erase, accept)).toEqual([204, 404])
  expect(await countOf(ann)).toBe(0)
})

it('a friend request sent while an account is deleted returns 404', async () => {
  const ask = () => server.call(sendFriendRequest, { body: { username: ann.username } }, bob)
  expect(await statusesOf(erase, ask)).toEqual([204, 404])
})

it('a friend request received while the deletion waited is withdrawn for its sender', async () => {
  const ask = () => server.call(sendFriendRequest, { body: { username: ann.username } }, bob)
  const listener = await server.listen(bob, ['friend_requests'])
  expect(await statusesOf(ask, erase)).toEqual([201, 204])
  await listener.until(({ eventType }) => eventType === 'DELETE')
  expect(await countOf(ann)).toBe(0)
})

it('a block, a sign-in and a refresh during the deletion of an account do not find the user', async () => {
  const block = () => server.call(blockUser, { params: { username: ann.username } }, bob)
  expect(await statusesOf(erase, block)).toEqual([204, 404])
  ann = await server.signUp(`anna${number}`)
  const signIn = () => server.call(login, { body: { email: ann.email, password } })
  expect(await statusesOf(erase, signIn)).toEqual([204, 401])
  ann = await server.signUp(`anna${number}`)
  expect(await statusesOf(signIn, erase)).toEqual([200, 204])
  const left = await server.db`
    select 1 from revoked_sessions where session_id not in (select id from sessions) having count(*) >= 2`
  expect(left).toHaveLength(1)
  ann = await server.signUp(`anna${number}`)
  const again = () => server.call(refresh, { body: { refresh_token: ann.session.refresh_token } })
  const [erased, refreshed] = await Promise.all([erase(), again()])
  expect([erased?.status, [200, 401].includes(refreshed?.status ?? 0)]).toEqual([204, true])
})

it('two friends can delete their accounts concurrently', async () => {
  await server.befriend(ann, bob)
  const { body } = await dropPing()
  await server.call(respondToPing, { body: { ping_id: body.id, response_type: 'accepted' } }, ann)
  const other = () => server.call(deleteAccount, { body: { password } }, bob)
  expect(await statusesOf(erase, other)).toEqual([204, 204])
  expect([await countOf(ann), await countOf(bob)]).toEqual([0, 0])
})

it('an account is deleted once by two concurrent calls', async () => {
  const statuses = await statusesOf(erase, erase)
  expect(statuses.sort()).toEqual([204, 401])
})
