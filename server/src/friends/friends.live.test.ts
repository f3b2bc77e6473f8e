import {
  blockUser,
  listFriends,
  removeFriend,
  respondToFriendRequest,
  sendFriendRequest,
} from '@hither/contract/friends.ts'
import type { FriendRequestId, FriendshipId } from '@hither/contract/ids.ts'
import { getUser, updateUser } from '@hither/contract/users.ts'
import { RealtimeClient } from '@supabase/realtime-js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type Listener,
  type Person,
  type ReceivedChange,
  receivedBy,
  startServer,
  type TestServer,
} from '../../test/harness.ts'
import { race } from '../../test/race.ts'
import { lockUser } from '../users/user-locks.ts'

let server: TestServer
let ann: Person
let bob: Person
let eve: Person
let listeners: Listener[]

beforeAll(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
  eve = await server.signUp('eve')
})

afterAll(() => server.close())

beforeEach(async () => {
  const tables = ['friend_requests', 'friendships', 'users'] as const
  listeners = await Promise.all([ann, bob, eve].map((person) => server.listen(person, tables)))
})

afterEach(async () => {
  await Promise.all(listeners.map((listener) => listener.close()))
  await server.db`truncate friend_requests, friendships, blocks cascade`
})

let renames = 0

/**
 * The changes of requests and friendships that each of the three has received so far. To mark the current moment, they
 * change their own profiles: everyone receives that after everything published before it.
 */
async function receivedByAll(): Promise<ReceivedChange[][]> {
  return Promise.all(
    [ann, bob, eve].map(async (person, index) => {
      const username = `${person.username}-${++renames}`
      await server.call(updateUser, { params: { id: person.id }, body: { username } }, person)
      const listener = listeners[index] as Listener
      await listener.until((change) => change.table === 'users' && change.new['username'] === username)
      await server.call(updateUser, { params: { id: person.id }, body: { username: person.username } }, person)
      return listener.received.filter((change) => change.table !== 'users')
    }),
  )
}

async function ask(from: Person, to: Person) {
  const { body } = await server.call(sendFriendRequest, { body: { username: to.username } }, from)
  return body.id
}

function answer(who: Person, id: string, action: 'accepted' | 'declined' | 'rejected') {
  return server.call(respondToFriendRequest, { params: { id: id as FriendRequestId }, body: { action } }, who)
}

async function friendshipOf(person: Person): Promise<FriendshipId> {
  const { body } = await server.call(listFriends, {}, person)
  return body[0]?.id as FriendshipId
}

function requestRow(id: string, status: string) {
  return {
    id,
    from_user_id: ann.id,
    to_user_id: bob.id,
    from_username: 'ann',
    to_username: 'bob',
    from_display_name: null,
    to_display_name: null,
    from_has_image: false,
    to_has_image: false,
    status,
    created_at: server.clock.now().toISOString(),
  }
}

describe('a friend request', () => {
  it('is announced to both users with the fields that each needs, and to nobody else', async () => {
    const id = await ask(ann, bob)
    const [toAnn, toBob, toEve] = await receivedByAll()
    const announcements = [{ table: 'friend_requests', eventType: 'INSERT', new: requestRow(id, 'pending') }]
    expect(toAnn).toMatchObject(announcements)
    expect(toBob).toMatchObject(announcements)
    expect(toEve).toEqual([])
  })

  it('that is accepted changes its status and creates a friendship, for both', async () => {
    const id = await ask(ann, bob)
    await answer(bob, id, 'accepted')
    const friendship = {
      id: await friendshipOf(ann),
      requester_id: ann.id,
      requested_id: bob.id,
      requester_username: 'ann',
      requested_username: 'bob',
      requester_display_name: null,
      requested_display_name: null,
      requester_has_image: false,
      requested_has_image: false,
      created_at: server.clock.now().toISOString(),
    }
    const [toAnn, toBob, toEve] = await receivedByAll()
    const announcements = [
      { table: 'friend_requests', eventType: 'INSERT', new: requestRow(id, 'pending') },
      { table: 'friend_requests', eventType: 'UPDATE', new: requestRow(id, 'accepted') },
      { table: 'friendships', eventType: 'INSERT', new: friendship },
    ]
    expect(toAnn).toMatchObject(announcements)
    expect(toBob).toMatchObject(announcements)
    expect(toEve).toEqual([])
  })

  it('that crosses another one is announced as accepted', async () => {
    await ask(ann, bob)
    await ask(bob, ann)
    const [toAnn, toBob] = await receivedByAll()
    const announcements = [
      { table: 'friend_requests', eventType: 'INSERT' },
      { table: 'friend_requests', eventType: 'UPDATE', new: { status: 'accepted' } },
      { table: 'friendships', eventType: 'INSERT' },
    ]
    expect(toAnn).toMatchObject(announcements)
    expect(toBob).toMatchObject(announcements)
  })

  it.each(['declined', 'rejected'] as const)('that is %s is announced as rejected to both', async (action) => {
    await answer(bob, await ask(ann, bob), action)
    const [toAnn, toBob, toEve] = await receivedByAll()
    const announcements = [
      { eventType: 'INSERT' },
      { table: 'friend_requests', eventType: 'UPDATE', new: { status: 'rejected' } },
    ]
    expect(toAnn).toMatchObject(announcements)
    expect(toBob).toMatchObject(announcements)
    expect(toEve).toEqual([])
  })

  it('that is refused by a rule is not announced', async () => {
    await ask(ann, bob)
    await ask(ann, bob)
    const [toAnn, toBob] = await receivedByAll()
    expect([toAnn?.length, toBob?.length]).toEqual([1, 1])
  })
})

describe('changes that must not reveal a block', () => {
  it('look the same for a cancelled request and one ended by a block', async () => {
    const takenBack = await ask(ann, bob)
    await answer(ann, takenBack, 'rejected')
    const ended = await ask(ann, bob)
    await server.call(blockUser, { params: { username: 'bob' } }, ann)
    const [toAnn, toBob, toEve] = await receivedByAll()
    const announcements = [takenBack, ended].flatMap((id) => [
      { table: 'friend_requests', eventType: 'INSERT', new: { id } },
      { table: 'friend_requests', eventType: 'DELETE', old: { id } },
    ])
    expect(toAnn).toMatchObject(announcements)
    expect(toBob).toMatchObject(announcements)
    expect(toBob?.[1]).toEqual({ ...toBob?.[3], old: toBob?.[1]?.old, commit_timestamp: expect.any(String) })
    expect(toEve).toEqual([])
  })

  it('show the blocked sender a deleted request and no status', async () => {
    const id = await ask(ann, bob)
    await server.call(blockUser, { params: { username: 'ann' } }, bob)
    const [toAnn] = await receivedByAll()
    expect(toAnn).toMatchObject([
      { eventType: 'INSERT' },
      { table: 'friend_requests', eventType: 'DELETE', old: { id } },
    ])
  })

  it('look the same for a friendship ended by a friend and one ended by a block', async () => {
    await server.befriend(ann, bob)
    const removed = await friendshipOf(ann)
    await server.call(removeFriend, { params: { id: removed } }, ann)
    await server.befriend(ann, bob)
    const blocked = await friendshipOf(ann)
    await server.call(blockUser, { params: { username: 'bob' } }, ann)
    const [toAnn, toBob, toEve] = await receivedByAll()
    for (const receivedChanges of [toAnn, toBob]) {
      const deletes = receivedChanges?.filter((change) => change.eventType === 'DELETE')
      expect(deletes).toMatchObject([
        { table: 'friendships', new: {}, old: { id: removed } },
        { table: 'friendships', new: {}, old: { id: blocked } },
      ])
      expect(receivedChanges?.filter((change) => change.table === 'friend_requests')).toHaveLength(4)
    }
    expect(toEve).toEqual([])
  })

  it('are none for a block between users who share nothing, a repeated block, and an unblock', async () => {
    await server.call(blockUser, { params: { username: 'bob' } }, ann)
    await server.call(blockUser, { params: { username: 'bob' } }, ann)
    await server.request('DELETE', '/api/friends/block/bob', { as: ann })
    expect(await receivedByAll()).toEqual([[], [], []])
  })
})

describe('the online status', () => {
  let client: RealtimeClient

  beforeEach(() => {
    client = new RealtimeClient(`${server.url.replace('http', 'ws')}/api/realtime/v1`, { params: { apikey: 'x' } })
  })
  afterEach(async () => {
    await client.removeAllChannels()
    await client.disconnect()
  })

  /** A channel through which ann can come online. */
  async function openPresence() {
    await client.setAuth(ann.session.access_token)
    const channel = client.channel('online-users')
    await new Promise((resolve) => channel.subscribe((status) => status === 'SUBSCRIBED' && resolve(undefined)))
    return channel
  }

  it('is visible to friends while a user is online, and to nobody else', async () => {
    await server.befriend(ann, bob)
    const listener = await server.listen(bob, ['users'])
    const channel = await openPresence()
    await channel.track({ online_at: server.clock.now().toISOString() })
    await listener.until(({ new: row }) => row['id'] === ann.id && row['is_online'] === true)

    const see = async (viewer: Person) => (await server.call(getUser, { params: { id: ann.id } }, viewer)).body
    expect((await server.call(listFriends, {}, bob)).body).toMatchObject([{ user_id: ann.id, is_online: true }])
    expect(await see(bob)).toHaveProperty('is_online', true)
    expect(await see(eve)).not.toHaveProperty('is_online')
    await server.call(removeFriend, { params: { id: await friendshipOf(ann) } }, ann)
    expect(await see(bob)).not.toHaveProperty('is_online')

    // A friendship that begins while a user is online shows the status at once.
    const late = await server.listen(bob, ['friendships', 'users'])
    await server.befriend(ann, bob)
    await late.until(({ new: row }) => row['id'] === ann.id && row['is_online'] === true)
    expect(late.received.map(({ table }) => table)).toEqual(['friendships', 'users'])
  })

  it('is announced once for many changes in a moment, and the last one is right', async () => {
    await server.befriend(ann, bob)
    const listener = await server.listen(bob, ['users'])
    const channel = await openPresence()
    await channel.track({})
    await listener.until(({ new: row }) => row['id'] === ann.id && row['is_online'] === true)
    for (let i = 0; i < 8; i++) {
      await channel.untrack()
      await channel.track({})
    }
    await channel.untrack()
    await expect.poll(() => listener.received.at(-1)?.new['is_online']).toBe(false)
    expect(listener.received.length).toBeLessThan(8)
  })

  it('is not announced to a friend who is blocked at the same moment', async () => {
    await server.befriend(ann, bob)
    const [toAnn, toBob] = listeners as [Listener, Listener]
    const channel = await openPresence()
    await race<unknown>(
      server.db,
      (tx) => lockUser(tx, ann.id),
      () => server.call(blockUser, { params: { username: 'bob' } }, ann),
      () => channel.track({}),
    )
    await toAnn.until(({ new: row }) => row['id'] === ann.id && row['is_online'] === true)
    await receivedBy(server, bob, toBob)
    expect(toBob.received.filter(({ new: row }) => row['id'] === ann.id && row['is_online'])).toEqual([])
  })
})
