import { blockUser, listFriends, removeFriend } from '@hither/contract/friends.ts'
import type { FriendshipId } from '@hither/contract/ids.ts'
import { createPing, deletePing, listPings } from '@hither/contract/pings.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'

let server: TestServer
let ann: Person
let bob: Person

beforeAll(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
})

afterAll(() => server.close())

async function pingsSeenBy(person: Person) {
  return (await server.call(listPings, { query: {} }, person)).body.map((ping) => ping.id)
}

async function drop(name: string) {
  const { body } = await server.call(createPing, { body: { name, latitude: 1, longitude: 2 } }, ann)
  return body.id
}

it('pings appear and disappear with the friendship, live and in the lists, and the owner receives no change', async () => {
  await server.befriend(ann, bob)
  const [mine, friends] = await Promise.all([ann, bob].map((person) => server.listen(person, ['location_pins'])))
  const id = await drop('Coffee')

  const { body } = await server.call(listFriends, {}, bob)
  await server.call(removeFriend, { params: { id: body[0]?.id as FriendshipId } }, bob)
  expect([await pingsSeenBy(bob), await pingsSeenBy(ann)]).toEqual([[], [id]])

  await server.befriend(bob, ann)
  expect(await pingsSeenBy(bob)).toEqual([id])

  await server.call(blockUser, { params: { username: 'bob' } }, ann)
  expect(await pingsSeenBy(bob)).toEqual([])

  // Everything announced to either of them arrived before this.
  await server.call(deletePing, { params: { id } }, ann)
  await server.request('DELETE', '/api/friends/block/bob', { as: ann })
  await server.befriend(ann, bob)
  const last = await drop('Tea')
  for (const listener of [mine, friends]) await listener?.until((change) => change.new['id'] === last)
  const story = friends?.received.map(({ eventType, new: row, old }) => [eventType, row['id'] ?? old['id']])
  expect(story).toEqual([
    ['INSERT', id],
    ['DELETE', id],
    ['INSERT', id],
    ['DELETE', id],
    ['INSERT', last],
  ])
  expect(mine?.received.map(({ eventType }) => eventType)).toEqual(['INSERT', 'DELETE', 'INSERT'])
})
