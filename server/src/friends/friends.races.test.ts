import {
  blockUser,
  listBlocked,
  listFriends,
  removeFriend,
  respondToFriendRequest,
  sendFriendRequest,
} from '@hither/contract/friends.ts'
import type { FriendRequestId, FriendshipId } from '@hither/contract/ids.ts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { race } from '../../test/race.ts'
import type { Tx } from '../platform/db/database.ts'

let server: TestServer
let ann: Person
let bob: Person

beforeAll(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
})

afterAll(() => server.close())

afterEach(async () => {
  await server.db`truncate friend_requests, friendships, blocks cascade`
})

const lockBoth = (tx: Tx) => tx`select id from users where id in (${ann.id}, ${bob.id}) order by id for update`

function ask(from: Person, to: Person) {
  return server.call(sendFriendRequest, { body: { username: to.username } }, from)
}

function answer(who: Person, id: string, action: 'accepted' | 'rejected') {
  return server.call(respondToFriendRequest, { params: { id: id as FriendRequestId }, body: { action } }, who)
}

function block(who: Person, username: string) {
  return server.call(blockUser, { params: { username } }, who)
}

async function friendship() {
  const { body } = await server.call(listFriends, {}, ann)
  return body[0]?.id as FriendshipId
}

async function rows() {
  const [counts] = await server.db`
    select (select count(*)::int from friend_requests) as requests, (select count(*)::int from friendships) as friendships,
      (select count(*)::int from blocks) as blocks`
  return counts
}

it('two requests that cross make one friendship and leave no request', async () => {
  const [first, second] = await race(
    server.db,
    lockBoth,
    () => ask(ann, bob),
    () => ask(bob, ann),
  )
  expect(first).toMatchObject({ status: 201, body: { status: 'pending' } })
  expect(second).toMatchObject({ status: 201, body: { status: 'accepted' } })
  expect(await rows()).toEqual({ requests: 0, friendships: 1, blocks: 0 })
})

it('the same request sent twice concurrently is stored once', async () => {
  const answers = await race(
    server.db,
    lockBoth,
    () => ask(ann, bob),
    () => ask(ann, bob),
  )
  expect(answers.map(({ status }) => status)).toEqual([201, 409])
  expect(await rows()).toEqual({ requests: 1, friendships: 0, blocks: 0 })
})

it('a concurrent acceptance and cancellation of a request: the first one counts', async () => {
  for (const acceptFirst of [true, false]) {
    const { body } = await ask(ann, bob)
    const accept = () => answer(bob, body.id, 'accepted')
    const cancel = () => answer(ann, body.id, 'rejected')
    const [first, second] = await race(server.db, lockBoth, ...(acceptFirst ? [accept, cancel] : [cancel, accept]))
    expect(first).toMatchObject({ status: 200, body: { status: acceptFirst ? 'accepted' : 'rejected' } })
    expect(second).toMatchObject({
      status: 404,
      body: { detail: 'Friend request not found', code: 'friend_request_not_found' },
    })
    expect(await rows()).toEqual({ requests: 0, friendships: acceptFirst ? 1 : 0, blocks: 0 })
    await server.db`truncate friendships cascade`
  }
})

it('a request accepted twice concurrently makes one friendship', async () => {
  const { body } = await ask(ann, bob)
  const accept = () => answer(bob, body.id, 'accepted')
  const answers = await race(server.db, lockBoth, accept, accept)
  expect(answers.map(({ status }) => status)).toEqual([200, 404])
  expect(await rows()).toEqual({ requests: 0, friendships: 1, blocks: 0 })
})

it('a crossing request and a concurrent acceptance make one friendship', async () => {
  const { body } = await ask(ann, bob)
  const answers = await race<{ status: number }>(
    server.db,
    lockBoth,
    () => ask(bob, ann),
    () => answer(bob, body.id, 'accepted'),
  )
  expect(answers.map(({ status }) => status)).toEqual([201, 404])
  expect(await rows()).toEqual({ requests: 0, friendships: 1, blocks: 0 })
})

it('two concurrent mutual blocks: the second one returns 404', async () => {
  await server.befriend(ann, bob)
  const answers = await race(
    server.db,
    lockBoth,
    () => block(ann, 'bob'),
    () => block(bob, 'ann'),
  )
  expect(answers.map(({ status }) => status)).toEqual([204, 404])
  expect(await rows()).toEqual({ requests: 0, friendships: 0, blocks: 1 })
})

it('a block sent twice concurrently is stored once', async () => {
  const answers = await race(
    server.db,
    lockBoth,
    () => block(ann, 'bob'),
    () => block(ann, 'bob'),
  )
  expect(answers.map(({ status }) => status)).toEqual([204, 204])
  expect((await server.call(listBlocked, {}, ann)).body).toHaveLength(1)
})

it('a block wins over a concurrent request and a concurrent acceptance', async () => {
  const [, request] = await race<{ status: number }>(
    server.db,
    lockBoth,
    () => block(ann, 'bob'),
    () => ask(bob, ann),
  )
  expect(request).toMatchObject({ status: 404, body: { detail: 'User not found', code: 'user_not_found' } })
  await server.db`truncate blocks cascade`

  const { body } = await ask(ann, bob)
  const [, accepted] = await race<{ status: number }>(
    server.db,
    lockBoth,
    () => block(ann, 'bob'),
    () => answer(bob, body.id, 'accepted'),
  )
  expect(accepted).toMatchObject({ status: 404 })
  expect(await rows()).toEqual({ requests: 0, friendships: 0, blocks: 1 })
})

it('a block removes a request or a friendship from just before it', async () => {
  const { body } = await ask(ann, bob)
  const answers = await race<{ status: number }>(
    server.db,
    lockBoth,
    () => answer(bob, body.id, 'accepted'),
    () => block(ann, 'bob'),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 204])
  expect(await rows()).toEqual({ requests: 0, friendships: 0, blocks: 1 })
})

it('a friendship ended by both users concurrently ends once', async () => {
  await server.befriend(ann, bob)
  const params = { id: await friendship() }
  const answers = await race(
    server.db,
    lockBoth,
    () => server.call(removeFriend, { params }, ann),
    () => server.call(removeFriend, { params }, bob),
  )
  expect(answers.map(({ status }) => status)).toEqual([204, 404])
})
