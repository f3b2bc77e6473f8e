import {
  blockUser,
  listBlocked,
  listFriends,
  listReceivedRequests,
  listSentRequests,
  removeFriend,
  respondToFriendRequest,
  sendFriendRequest,
  unblockUser,
} from '@hither/contract/friends.ts'
import type { FriendshipId } from '@hither/contract/ids.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'

const names = ['ann', 'bob', 'eve'] as const
type Name = (typeof names)[number]
const deeds = ['ask', 'accept', 'reject', 'cancel', 'remove', 'block', 'unblock'] as const
type Deed = (typeof deeds)[number]

/** The relations of users, each fact once: `ann>bob` for a directed one, `ann+bob` for a friendship. */
interface Model {
  requests: Set<string>
  friendships: Set<string>
  blocks: Set<string>
}

let server: TestServer
const people = new Map<Name, Person>()

beforeAll(async () => {
  server = await startServer()
  for (const name of names) people.set(name, await server.signUp(name))
})

afterAll(() => server.close())

/** A small model of the product rules, and the status that each action must return. */
function expectedOf(model: Model, deed: Deed, me: Name, you: Name): number {
  const mine = `${me}>${you}`
  const yours = `${you}>${me}`
  const pair = [me, you].sort().join('+')
  const { requests, friendships, blocks } = model
  const befriend = () => {
    requests.delete(yours)
    friendships.add(pair)
  }
  switch (deed) {
    case 'ask':
      if (blocks.has(mine) || blocks.has(yours)) return 404
      if (friendships.has(pair) || requests.has(mine)) return 409
      if (requests.has(yours)) befriend()
      else requests.add(mine)
      return 201
    case 'accept':
      if (!requests.has(yours)) return 404
      befriend()
      return 200
    case 'reject':
      return requests.delete(yours) ? 200 : 404
    case 'cancel':
      return requests.delete(mine) ? 200 : 404
    case 'remove':
      return friendships.delete(pair) ? 204 : 404
    case 'block':
      if (blocks.has(yours)) return 404
      blocks.add(mine)
      requests.delete(mine)
      requests.delete(yours)
      friendships.delete(pair)
      return 204
    case 'unblock':
      blocks.delete(mine)
      return 204
  }
}

/** Runs the action over HTTP with the ids from the caller's own lists; without an id the expected answer is 404. */
async function doIt(deed: Deed, me: Person, you: Person): Promise<number> {
  const params = { username: you.username }
  switch (deed) {
    case 'ask':
      return (await server.call(sendFriendRequest, { body: params }, me)).status
    case 'accept':
    case 'reject':
    case 'cancel': {
      const id =
        deed === 'cancel'
          ? (await server.call(listSentRequests, {}, me)).body.find((row) => row.requested_id === you.id)?.id
          : (await server.call(listReceivedRequests, {}, me)).body.find((row) => row.requester_id === you.id)?.id
      if (!id) return 404
      const action = deed === 'accept' ? 'accepted' : 'rejected'
      return (await server.call(respondToFriendRequest, { params: { id }, body: { action } }, me)).status
    }
    case 'remove': {
      const { body } = await server.call(listFriends, {}, me)
      const id = body.find((friend) => friend.user_id === you.id)?.id as FriendshipId | undefined
      return id ? (await server.call(removeFriend, { params: { id } }, me)).status : 404
    }
    case 'block':
      return (await server.call(blockUser, { params }, me)).status
    case 'unblock':
      return (await server.call(unblockUser, { params }, me)).status
  }
}

async function seen(): Promise<Model> {
  const model: Model = { requests: new Set(), friendships: new Set(), blocks: new Set() }
  for (const [name, person] of people) {
    const [friends, received, sent, blocked] = await Promise.all([
      server.call(listFriends, {}, person),
      server.call(listReceivedRequests, {}, person),
      server.call(listSentRequests, {}, person),
      server.call(listBlocked, {}, person),
    ])
    for (const { username } of friends.body) model.friendships.add(`${name} sees ${username}`)
    for (const { requester_username } of received.body) model.requests.add(`${name} got ${requester_username}`)
    for (const { requested_username } of sent.body) model.requests.add(`${name} sent ${requested_username}`)
    for (const { username } of blocked.body) model.blocks.add(`${name}>${username}`)
  }
  return model
}

/** The model as the lists of each user must show it. */
function asSeen({ requests, friendships, blocks }: Model): Model {
  const split = (fact: string) => fact.split(/[>+]/) as [Name, Name]
  return {
    requests: new Set([...requests].map(split).flatMap(([from, to]) => [`${from} sent ${to}`, `${to} got ${from}`])),
    friendships: new Set([...friendships].map(split).flatMap(([a, b]) => [`${a} sees ${b}`, `${b} sees ${a}`])),
    blocks,
  }
}

const step = fc.record({
  deed: fc.constantFrom(...deeds),
  pair: fc.constantFrom(...names.flatMap((me) => names.filter((you) => you !== me).map((you) => [me, you] as const))),
})

it('shows each of three users what the rules allow, in any order of actions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await server.db`truncate friend_requests, friendships, blocks cascade`
      const model: Model = { requests: new Set(), friendships: new Set(), blocks: new Set() }
      for (const {
        deed,
        pair: [me, you],
      } of steps) {
        const status = await doIt(deed, people.get(me) as Person, people.get(you) as Person)
        expect([deed, me, you, status]).toEqual([deed, me, you, expectedOf(model, deed, me, you)])
      }
      expect(await seen()).toEqual(asSeen(model))
    }),
    { numRuns: 25 },
  )
})
