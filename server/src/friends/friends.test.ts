import {
  listBlocked,
  listFriends,
  listReceivedRequests,
  listSentRequests,
  removeFriend,
  respondToFriendRequest,
  sendFriendRequest,
} from '@hither/contract/friends.ts'
import { type FriendRequestId, type FriendshipId } from '@hither/contract/ids.ts'
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

const nobody = '01900000-0000-7000-8000-000000000000'

function ask(from: Person, username: string) {
  return server.call(sendFriendRequest, { body: { username } }, from)
}

function answer(who: Person, id: string, action: 'accepted' | 'declined' | 'rejected') {
  return server.call(respondToFriendRequest, { params: { id: id as FriendRequestId }, body: { action } }, who)
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

const notFound = { status: 404, body: { detail: 'User not found' } }
const requestNotFound = { status: 404, body: { detail: 'Friend request not found' } }

describe('asking to be friends', () => {
  it('waits for the other, and shows with both and nobody else', async () => {
    const { status, body } = await ask(ann, 'BOB')
    expect(status).toBe(201)
    expect(body).toEqual({ id: body.id, status: 'pending', user_id: bob.id, username: 'Bob' })
    const created_at = server.clock.now().toISOString()
    expect(await receivedBy(bob)).toEqual([
      { id: body.id, requester_id: ann.id, requester_username: 'ann', has_image: false, created_at },
    ])
    expect(await sentBy(ann)).toEqual([
      { id: body.id, requested_id: bob.id, requested_username: 'Bob', has_image: false, created_at },
    ])
    expect([await receivedBy(ann), await sentBy(bob), await receivedBy(eve), await sentBy(eve)]).toEqual([
      [],
      [],
      [],
      [],
    ])
    expect(await friendsOf(ann)).toEqual([])
  })

  it('is accepted at once where the other has already asked', async () => {
    await ask(ann, 'bob')
    const { status, body } = await ask(bob, 'ann')
    expect(status).toBe(201)
    expect(body).toEqual({ id: body.id, status: 'accepted', user_id: ann.id, username: 'ann' })
    expect(await friendsOf(ann)).toMatchObject([{ id: body.id, user_id: bob.id }])
    expect(await friendsOf(bob)).toMatchObject([{ id: body.id, user_id: ann.id }])
    expect([await receivedBy(bob), await sentBy(ann)]).toEqual([[], []])
  })

  it.each(['nobody', 'bo', '%', 'bob '])('is refused for %j, whom nobody is called', async (username) => {
    expect(await ask(ann, username)).toMatchObject(notFound)
  })

  it('is refused to oneself', async () => {
    const own = { status: 400, body: { detail: 'You cannot send a friend request to yourself' } }
    expect(await ask(ann, 'ann')).toMatchObject(own)
    expect(await ask(ann, 'ANN')).toMatchObject(own)
  })

  it('is refused twice, and among friends', async () => {
    const { body } = await ask(ann, 'bob')
    expect(await ask(ann, 'bob')).toMatchObject({ status: 409, body: { detail: 'Friend request already sent' } })
    await answer(bob, body.id, 'accepted')
    const friends = { status: 409, body: { detail: 'You are already friends' } }
    expect(await ask(ann, 'bob')).toMatchObject(friends)
    expect(await ask(bob, 'ann')).toMatchObject(friends)
  })

  it('is refused without a name, and without signing in', async () => {
    const empty = await server.request('POST', '/api/friends/request', { body: {}, as: ann })
    expect(empty).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'username'], msg: 'Field required', type: 'required' }] },
    })
    const wrong = await server.request('POST', '/api/friends/request', { body: { username: 7 }, as: ann })
    expect(wrong).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'username'], type: 'type' }] } })
    const anonymous = await server.call(sendFriendRequest, { body: { username: 'bob' } })
    expect(anonymous).toMatchObject({ status: 401, body: { detail: 'Authentication required' } })
  })
})

describe('answering a request', () => {
  it('by accepting makes friends of the two', async () => {
    const { body } = await ask(ann, 'bob')
    expect(await answer(bob, body.id, 'accepted')).toMatchObject({
      status: 200,
      body: { id: body.id, status: 'accepted' },
    })
    expect(await friendsOf(bob)).toMatchObject([{ user_id: ann.id, username: 'ann', is_online: false }])
    expect([await receivedBy(bob), await sentBy(ann)]).toEqual([[], []])
  })

  it.each(['declined', 'rejected'] as const)('with "%s" rejects it, and the sender may ask again', async (action) => {
    const { body } = await ask(ann, 'bob')
    expect(await answer(bob, body.id, action)).toMatchObject({ status: 200, body: { id: body.id, status: 'rejected' } })
    expect([await receivedBy(bob), await sentBy(ann), await friendsOf(ann)]).toEqual([[], [], []])
    expect((await ask(ann, 'bob')).status).toBe(201)
  })

  it('is not for the sender, who may only take it back', async () => {
    const { body } = await ask(ann, 'bob')
    expect(await answer(ann, body.id, 'accepted')).toMatchObject({
      status: 403,
      body: { detail: 'Only the person who was asked can accept a friend request' },
    })
    expect(await receivedBy(bob)).toHaveLength(1)
    expect(await answer(ann, body.id, 'rejected')).toMatchObject({ status: 200, body: { status: 'rejected' } })
    expect(await receivedBy(bob)).toEqual([])
  })

  it('is not for a stranger, who cannot tell that there is one', async () => {
    const { body } = await ask(ann, 'bob')
    for (const action of ['accepted', 'declined', 'rejected'] as const) {
      expect(await answer(eve, body.id, action)).toMatchObject(requestNotFound)
      expect(await answer(eve, nobody, action)).toMatchObject(requestNotFound)
    }
    expect(await receivedBy(bob)).toHaveLength(1)
  })

  it('is done once', async () => {
    const { body } = await ask(ann, 'bob')
    await answer(bob, body.id, 'accepted')
    expect(await answer(bob, body.id, 'accepted')).toMatchObject(requestNotFound)
    expect(await answer(ann, body.id, 'rejected')).toMatchObject(requestNotFound)
    expect(await friendsOf(ann)).toHaveLength(1)
  })

  it('takes no other word and no malformed id', async () => {
    const path = (id: string) => `/api/friends/${id}/respond`
    const maybe = await server.request('PATCH', path(nobody), { body: { action: 'maybe' }, as: bob })
    expect(maybe).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'action'], type: 'enum' }] } })
    const malformed = await server.request('PATCH', path('7'), { body: { action: 'accepted' }, as: bob })
    expect(malformed).toMatchObject({ status: 422, body: { detail: [{ loc: ['path', 'id'], type: 'format' }] } })
  })
})

describe('the lists', () => {
  it('hold friends by name without case, whoever asked', async () => {
    const zoe = await server.signUp('zoe')
    const carl = await server.signUp('Carl')
    await server.befriend(ann, zoe)
    await server.befriend(carl, ann)
    await server.befriend(ann, bob)
    expect((await friendsOf(ann)).map((friend) => friend.username)).toEqual(['Bob', 'Carl', 'zoe'])
  })

  it('hold requests newest first', async () => {
    const [dan, fay] = [await server.signUp('dan'), await server.signUp('fay')]
    for (const person of [dan, fay]) {
      await ask(person, 'ann')
      server.clock.advance(1000)
      await ask(bob, person.username)
      server.clock.advance(1000)
    }
    expect((await receivedBy(ann)).map((request) => request.requester_username)).toEqual(['fay', 'dan'])
    expect((await sentBy(bob)).map((request) => request.requested_username)).toEqual(['fay', 'dan'])
  })

  it("are nobody else's, and a 401 without signing in", async () => {
    await server.befriend(ann, bob)
    expect(await friendsOf(eve)).toEqual([])
    for (const operation of [listFriends, listReceivedRequests, listSentRequests, listBlocked]) {
      expect((await server.call(operation, {})).status).toBe(401)
    }
  })
})

describe('removing a friend', () => {
  it.each([0, 1])('is open to either of the two (%i)', async (index) => {
    await server.befriend(ann, bob)
    const [friendship] = await friendsOf(ann)
    const params = { id: friendship?.id as FriendshipId }
    expect((await server.call(removeFriend, { params }, eve)).status).toBe(404)
    expect(await friendsOf(ann)).toHaveLength(1)
    const remover = [ann, bob][index] as Person
    expect(await server.call(removeFriend, { params }, remover)).toMatchObject({ status: 204, body: null })
    expect([await friendsOf(ann), await friendsOf(bob)]).toEqual([[], []])
    expect(await server.call(removeFriend, { params }, remover)).toMatchObject({
      status: 404,
      body: { detail: 'Friend not found' },
    })
  })

  it('lets them become friends again', async () => {
    await server.befriend(ann, bob)
    const [friendship] = await friendsOf(ann)
    await server.call(removeFriend, { params: { id: friendship?.id as FriendshipId } }, ann)
    await server.befriend(bob, ann)
    expect(await friendsOf(ann)).toMatchObject([{ user_id: bob.id }])
  })
})
