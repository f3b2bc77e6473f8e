import { randomUUID } from 'node:crypto'
import { listSessions } from '@hither/contract/auth/auth.ts'
import { createCircle, listCircles } from '@hither/contract/circles.ts'
import {
  blockUser,
  listBlocked,
  listFriends,
  listReceivedRequests,
  listSentRequests,
  sendFriendRequest,
} from '@hither/contract/friends.ts'
import { listConversationSummaries, listConversations } from '@hither/contract/messages/messages.ts'
import { listMutes } from '@hither/contract/notifications.ts'
import type { Operation } from '@hither/contract/operation.ts'
import { createPing, listPings } from '@hither/contract/pings.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { actionsOn } from '../../src/messages/harness.ts'
import { type Person, startServer, type TestServer } from '../harness.ts'

let server: TestServer
let ann: Person
let stranger: Person

/** Each list with the field by which its rows are named. */
const lists: [Operation, string][] = [
  [listFriends, 'user_id'],
  [listSentRequests, 'id'],
  [listReceivedRequests, 'id'],
  [listBlocked, 'user_id'],
  [listCircles, 'id'],
  [listConversations, 'id'],
  [listConversationSummaries, 'id'],
  [listMutes, 'conversation_id'],
  [listPings, 'id'],
  [listSessions, 'id'],
]

beforeAll(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
  stranger = await server.signUp('stranger')
  const cast = actionsOn(server)
  const everyone = await Promise.all(Array.from({ length: 20 }, (_, index) => server.signUp(`person_${index}`)))
  const [friends, sent, received, blocked] = [0, 5, 10, 15].map((start) => everyone.slice(start, start + 5))
  const request = (from: Person, to: Person) =>
    server.call(sendFriendRequest, { body: { username: to.username } }, from)
  const place = { latitude: 45.5, longitude: -122.6 }
  for (const friend of friends ?? []) {
    await server.befriend(ann, friend)
    const { id } = await cast.make(ann, [friend])
    await server.request('PUT', `/api/notifications/mutes/${id}`, { body: { muted_until: null }, as: ann })
    await server.call(createCircle, { body: { name: friend.username, member_ids: [friend.id] } }, ann)
    await server.call(createPing, { body: { name: 'Theirs', ...place } }, friend)
    server.clock.advance(1000)
    await server.signIn(ann)
  }
  for (const person of sent ?? []) await request(ann, person)
  for (const person of received ?? []) await request(person, ann)
  for (const { username } of blocked ?? []) await server.call(blockUser, { params: { username } }, ann)
})
afterAll(() => server.close())

it.each(lists.map(([operation, key]) => [operation.address, operation, key] as const))(
  '%s has pages, which together have the whole list',
  async (_name, { address }, key) => {
    const { method, path } = splitAddress(address)
    const read = async (query = '', as = ann) => {
      const { status, body } = await server.request(method, `/api${path}${query}`, { as })
      expect(status).toBe(200)
      return body as Record<string, string>[]
    }
    const whole = await read()
    expect(whole.length).toBeGreaterThanOrEqual(5)
    const rows: Record<string, string>[] = []
    for (
      let page = await read('?limit=2');
      page.length > 0;
      page = await read(`?limit=2&before=${rows.at(-1)?.[key]}`)
    ) {
      expect(page.length).toBeLessThanOrEqual(2)
      rows.push(...page)
    }
    expect(rows).toEqual(whole)
    // Nothing tells where a row of others would be in the list.
    expect(await read(`?before=${whole[0]?.[key]}`, stranger)).toEqual([])
    for (const limit of ['0', '101']) {
      expect((await server.request(method, `/api${path}?limit=${limit}`, { as: ann })).status).toBe(422)
    }
    if (key !== 'conversation_id') expect(await read(`?before=${randomUUID()}`)).toEqual([])
  },
)
