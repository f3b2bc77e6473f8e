import {
  listBlocked,
  listFriends,
  listReceivedRequests,
  listSentRequests,
  removeFriend,
  respondToFriendRequest,
  sendFriendRequest,
} from '@hither/contract/friends.ts'
import type { FriendRequestId, FriendshipId } from '@hither/contract/ids.ts'
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

const notFound = { status: 404, body: { detail: 'User not found', code: 'user_not_found' } }
const requestNotFound = { status: 404, body: { detail: 'Friend request not found', code: 'friend_request_not_found' } }

describe('sending a friend request', () => {
  it('creates a pending request that both users see and nobody else', async () => {
    const { status, body } = await ask(ann, 'BOB')
    expect(status).toBe(201)
    expect(body).toEqual({ id: body.id, status: 'pending', user_id: bob.id, username: 'Bob', display_name: null })
    const created_at = server.clock.now().toISOString()
    expect(await receivedBy(bob)).toEqual([
      {
        id: body.id,
        requester_id: ann.id,
        requester_username: 'ann',
        requester_display_name: null,
        has_image: false,
        created_at,
      },
    ])
    expect(await sentBy(ann)).toEqual([
      {
        id: body.id,
        requested_id: bob.id,
        requested_username: 'Bob',
        requested_display_name: null,
        has_image: false,
        created_at,
      },
    ])
    expect([await receivedBy(ann), await sentBy(bob), await receivedBy(eve), await sentBy(eve)]).toEqual([
      [],
      [],
      [],
      [],
    ])
    expect(await friendsOf(ann)).toEqual([])
  })

  it('is accepted at once if the other user has already sent one', async () => {
    await ask(ann, 'bob')
    const { status, body } = await ask(bob, 'ann')
    expect(status).toBe(201)
    expect(body).toEqual({ id: body.id, status: 'accepted', user_id: ann.id, username: 'ann', display_name: null })
    expect(await friendsOf(ann)).toMatchObject([{ id: body.id, user_id: bob.id }])
    expect(await friendsOf(bob)).toMatchObject([{ id: body.id, user_id: ann.id }])
    expect([await receivedBy(bob), await sentBy(ann)]).toEqual([[], []])
  })

  it.each(['nobody', 'bo', '%', 'bob '])('is refused for %j, which is no username', async (username) => {
    expect(await ask(ann, username)).toMatchObject(notFound)
  })

  it('is refused to oneself', async () => {
    const own = {
      status: 400,
      body: { detail: 'You cannot send a friend request to yourself', code: 'own_friend_request' },
    }
    expect(await ask(ann, 'ann')).toMatchObject(own)
    expect(await ask(ann, 'ANN')).toMatchObject(own)
  })

  it('is refused if a request is pending, and between friends', async () => {
    const { body } = await ask(ann, 'bob')
    expect(await ask(ann, 'bob')).toMatchObject({
      status: 409,
      body: { detail: 'Friend request already sent', code: 'friend_request_sent' },
    })
    await answer(bob, body.id, 'accepted')
    const friends = { status: 409, body: { detail: 'You are already friends', code: 'already_friends' } }
    expect(await ask(ann, 'bob')).toMatchObject(friends)
    expect(await ask(bob, 'ann')).toMatchObject(friends)
  })

  it('is refused without a name, and without authentication', async () => {
    const empty = await server.request('POST', '/api/friends/request', { body: {}, as: ann })
    expect(empty).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'username'], msg: 'Field required', type: 'required' }] },
    })
    const wrong = await server.request('POST', '/api/friends/request', { body: { username: 7 }, as: ann })
    expect(wrong).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'username'], type: 'type' }] } })
    const anonymous = await server.call(sendFriendRequest, { body: { username: 'bob' } })
    expect(anonymous).toMatchObject({
      status: 401,
      body: { detail: 'Authentication required', code: 'authentication_required' },
    })
  })
})

describe('answering a request', () => {
  it('makes the two users friends if it is accepted', async () => {
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

  it('is refused to the sender, who may only cancel it', async () => {
    const { body } = await ask(ann, 'bob')
    expect(await answer(ann, body.id, 'accepted')).toMatchObject({
      status: 403,
      body: {
        detail: 'Only the person who was asked can accept a friend request',
        code: 'friend_request_not_yours_to_accept',
      },
    })
    expect(await receivedBy(bob)).toHaveLength(1)
    expect(await answer(ann, body.id, 'rejected')).toMatchObject({ status: 200, body: { status: 'rejected' } })
    expect(await receivedBy(bob)).toEqual([])
  })

  it('returns 404 to others, who cannot see that it exists', async () => {
    const { body } = await ask(ann, 'bob')
    for (const action of ['accepted', 'declined', 'rejected'] as const) {
      expect(await answer(eve, body.id, action)).toMatchObject(requestNotFound)
      expect(await answer(eve, nobody, action)).toMatchObject(requestNotFound)
    }
    expect(await receivedBy(bob)).toHaveLength(1)
  })

  it('succeeds only once', async () => {
    const { body } = await ask(ann, 'bob')
    await answer(bob, body.id, 'accepted')
    expect(await answer(bob, body.id, 'accepted')).toMatchObject(requestNotFound)
    expect(await answer(ann, body.id, 'rejected')).toMatchObject(requestNotFound)
    expect(await friendsOf(ann)).toHaveLength(1)
  })

  it('accepts no other action and no malformed id', async () => {
    const path = (id: string) => `/api/friends/${id}/respond`
    const maybe = await server.request('PATCH', path(nobody), { body: { action: 'maybe' }, as: bob })
    expect(maybe).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'action'], type: 'enum' }] } })
    const malformed = await server.request('PATCH', path('7'), { body: { action: 'accepted' }, as: bob })
    expect(malformed).toMatchObject({ status: 422, body: { detail: [{ loc: ['path', 'id'], type: 'format' }] } })
  })
})

describe('the lists of friends and requests', () => {
  it('contain friends by name ignoring case, no matter who sent the request', async () => {
    const zoe = await server.signUp('zoe')
    const carl = await server.signUp('Carl')
    await server.befriend(ann, zoe)
    await server.befriend(carl, ann)
    await server.befriend(ann, bob)
    expect((await friendsOf(ann)).map((friend) => friend.username)).toEqual(['Bob', 'Carl', 'zoe'])
  })

  it('contain requests newest first', async () => {
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

  it('contain only own entries, and return 401 without authentication', async () => {
    await server.befriend(ann, bob)
    expect(await friendsOf(eve)).toEqual([])
    for (const operation of [listFriends, listReceivedRequests, listSentRequests, listBlocked]) {
      expect((await server.call(operation, {})).status).toBe(401)
    }
  })
})

describe('removing a friend', () => {
  it.each([0, 1])('is allowed for both users (%i)', async (index) => {
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
      body: { detail: 'Friend not found', code: 'friend_not_found' },
    })
  })

  it('allows them to become friends again', async () => {
    await server.befriend(ann, bob)
    const [friendship] = await friendsOf(ann)
    await server.call(removeFriend, { params: { id: friendship?.id as FriendshipId } }, ann)
    await server.befriend(bob, ann)
    expect(await friendsOf(ann)).toMatchObject([{ user_id: bob.id }])
  })
})
