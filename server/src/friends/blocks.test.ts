import {
  blockUser,
  listBlocked,
  listFriends,
  listReceivedRequests,
  listSentRequests,
  sendFriendRequest,
  unblockUser,
} from '@hither/contract/friends.ts'
import { getUser, lookupUser } from '@hither/contract/users.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'

let server: TestServer
let ann: Person
let bob: Person
let eve: Person

beforeAll(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
  bob = await server.signUp('Bob')
  eve = await server.signUp('eve')
})

afterAll(() => server.close())

afterEach(async () => {
  await server.db`truncate friend_requests, friendships, blocks cascade`
})

function ask(from: Person, username: string) {
  return server.call(sendFriendRequest, { body: { username } }, from)
}

function block(who: Person, username: string) {
  return server.call(blockUser, { params: { username } }, who)
}

function unblock(who: Person, username: string) {
  return server.call(unblockUser, { params: { username } }, who)
}

async function friendsOf(person: Person) {
  return (await server.call(listFriends, {}, person)).body
}

async function receivedBy(person: Person) {
  return (await server.call(listReceivedRequests, {}, person)).body
}

async function sentBy(person: Person) {
  return (await server.call(listSentRequests, {}, person)).body
}

const notFound = { status: 404, body: { detail: 'User not found', code: 'user_not_found' } }

describe('blocking a user', () => {
  it('ends the friendship and hides each user from the other', async () => {
    await server.befriend(ann, bob)
    expect((await block(ann, 'BOB')).status).toBe(204)
    expect([await friendsOf(ann), await friendsOf(bob)]).toEqual([[], []])
    for (const [one, other] of [
      [ann, bob],
      [bob, ann],
    ] as const) {
      const missing = await ask(one, 'nobody')
      const hidden = await ask(one, other.username)
      expect(hidden.body).toEqual(missing.body)
      expect(hidden.status).toBe(missing.status)
      const found = await server.call(lookupUser, { body: { username: other.username } }, one)
      expect(found).toMatchObject(notFound)
      expect(await server.call(getUser, { params: { id: other.id } }, one)).toMatchObject(notFound)
    }
  })

  it('ends requests in both directions', async () => {
    await ask(ann, 'bob')
    await ask(eve, 'ann')
    await block(ann, 'bob')
    await block(ann, 'eve')
    expect([await sentBy(ann), await receivedBy(ann), await receivedBy(bob), await sentBy(eve)]).toEqual([
      [],
      [],
      [],
      [],
    ])
  })

  it('again changes nothing', async () => {
    await block(ann, 'bob')
    const before = (await server.call(listBlocked, {}, ann)).body
    server.clock.advance(1000)
    expect((await block(ann, 'bob')).status).toBe(204)
    expect((await server.call(listBlocked, {}, ann)).body).toEqual(before)
    expect(before).toEqual([{ user_id: bob.id, username: 'Bob', display_name: null, created_at: expect.any(String) }])
  })

  it('appears only in the list of the blocker, the latest first', async () => {
    await block(ann, 'bob')
    server.clock.advance(1000)
    await block(ann, 'eve')
    const { body } = await server.call(listBlocked, {}, ann)
    expect(body.map((blocked) => blocked.username)).toEqual(['eve', 'Bob'])
    expect((await server.call(listBlocked, {}, bob)).body).toEqual([])
  })

  it('who has blocked the caller returns the same answer as for an unknown user', async () => {
    await block(ann, 'bob')
    expect(await block(bob, 'ann')).toMatchObject(notFound)
    expect(await block(bob, 'nobody')).toMatchObject(notFound)
    expect(await block(bob, 'bob')).toMatchObject(notFound)
  })

  it('can be undone by the blocker only, and restores nothing', async () => {
    await server.befriend(ann, bob)
    await block(ann, 'bob')
    expect((await unblock(bob, 'ann')).status).toBe(204)
    expect(await ask(bob, 'ann')).toMatchObject(notFound)
    expect((await unblock(ann, 'BOB')).status).toBe(204)
    expect((await unblock(ann, 'bob')).status).toBe(204)
    expect((await unblock(ann, 'nobody')).status).toBe(204)
    expect(await friendsOf(ann)).toEqual([])
    expect((await ask(bob, 'ann')).status).toBe(201)
  })
})
