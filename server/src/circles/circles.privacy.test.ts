import { feedNames } from '@hither/contract/feeds.ts'
import type { CircleId } from '@hither/contract/ids.ts'
import { createConversation } from '@hither/contract/messages/messages.ts'
import { cancelPing, invitePeople, type Ping } from '@hither/contract/pings.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, receivedBy } from '../../test/harness.ts'
import { operations } from '../../test/operations.ts'
import { makeAdmin, report } from '../moderation/harness.ts'
import { type Cast, startCast } from './harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

afterAll(() => cast.server.close())

it('nothing that members, other friends, strangers, visitors and admins read or receive live has anything of a circle', async () => {
  const { server, ann, bob, cat, dan, eve } = cast
  const admin = await makeAdmin(server, await cast.signUp('root'))
  const others = [bob, cat, dan, eve, admin]
  const listeners = await Promise.all(others.map((person) => server.listen(person, feedNames)))

  const created = await cast.createCircle({ name: 'Nosy colleagues', emoji: '🦚', member_ids: [bob.id] }, ann)
  const { id } = created.body
  const ping = await cast.drop(ann, { circle_ids: [id], recipient_ids: [dan.id], is_public: true })
  await cast.edit(id, { name: 'Noisy neighbors', member_ids: [bob.id, cat.id] }, ann)
  const more = { circle_ids: [id], recipient_ids: [] }
  expect((await server.call(invitePeople, { params: { id: ping.id }, body: more }, ann)).status).toBe(200)
  const chat = { name: 'Coffee', participant_ids: [bob.id, cat.id], ping_id: ping.id, system_created: true }
  const conversation = (await server.call(createConversation, { body: chat }, ann)).body
  await cast.respond(ping.id, 'accepted', bob)
  expect((await report(server, bob, { subject: 'ping', subject_id: ping.id })).status).toBe(201)
  expect((await report(server, cat, { subject: 'user', subject_id: ann.id })).status).toBe(201)

  const read = async (who: Person | null) => {
    const answers: { call: string; status: number; body: unknown }[] = []
    for (const operation of operations.filter(({ address }) => address.startsWith('GET '))) {
      const path = splitAddress(operation.address)
        .path.replace(':username', ann.username)
        .replace(/:\w+/g, () =>
          idFor(splitAddress(operation.address).path, {
            ping: ping.id,
            chat: conversation.id,
            person: ann.id,
            circle: id,
          }),
        )
      const query = queries[splitAddress(operation.address).path] ?? ''
      const { status, body } = await server.request('GET', `/api${path}${query}`, who ? { as: who } : {})
      answers.push({ call: operation.address, status, body })
    }
    const preview = await server.request('GET', `/pin/${ping.id}`)
    return [...answers, { call: 'the preview', status: preview.status, body: preview.body }]
  }
  // One after the other, because a server makes two exports at a time.
  const answers: Awaited<ReturnType<typeof read>>[] = []
  for (const who of [...others, null]) answers.push(await read(who))
  // The statuses prove that the calls reached the requested objects.
  const statusOf = (who: number, call: string) => answers[who]?.find((answer) => answer.call === call)?.status
  expect(others.map((_, n) => statusOf(n, 'GET /pings/:id'))).toEqual([200, 200, 200, 200, 200])
  expect(statusOf(0, 'GET /users/me/export')).toBe(200)
  expect(statusOf(0, 'GET /messages/conversations/:id')).toBe(200)
  expect(statusOf(4, 'GET /admin/reports')).toBe(200)
  expect(statusOf(5, 'the preview')).toBe(200)

  await server.call(cancelPing, { params: { id: ping.id }, body: {} }, ann)
  await cast.erase(id, ann)
  const live = []
  for (const [n, person] of others.entries())
    live.push(await receivedBy(server, person, listeners[n] as (typeof listeners)[number]))
  expect(live[0]?.map(({ table }) => table)).toContain('location_pins')

  const everything = JSON.stringify([answers, live])
  const secrets = [id, 'Nosy colleagues', 'Noisy neighbors', '🦚', '"audience"', '"invited_all"', '"circle_ids"']
  expect(secrets.filter((secret) => everything.includes(secret))).toEqual([])
})

it('the ids of invitations are in the order of the ids of the people, not of named people and circles', async () => {
  const { ann, bob, cat, dan } = cast
  const [low, middle, high] = [bob, cat, dan].sort((a, b) => (a.id < b.id ? -1 : 1)) as [Person, Person, Person]
  const first = await cast.circle('First', [high])
  const second = await cast.circle('Second', [middle, high])
  const third = await cast.circle('Third', [low])
  const orderOf = async (audience: Parameters<typeof cast.drop>[1], later: CircleId[] = []) => {
    const { id } = await cast.drop(ann, audience)
    if (later.length > 0) {
      const body = { recipient_ids: [], circle_ids: later }
      expect((await cast.server.call(invitePeople, { params: { id }, body }, ann)).status).toBe(200)
    }
    const seen = (await cast.read(id, high)).body as Ping
    return seen.recipients.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ recipient_id }) => recipient_id)
  }
  const sorted = [low.id, middle.id, high.id]
  expect(await orderOf({})).toEqual(sorted)
  expect(await orderOf({ recipient_ids: [high.id, low.id, middle.id] })).toEqual(sorted)
  expect(await orderOf({ recipient_ids: [], circle_ids: [first.id, second.id, third.id] })).toEqual(sorted)
  expect(await orderOf({ recipient_ids: [middle.id], circle_ids: [first.id, third.id] })).toEqual(sorted)
  // People who are invited later come after those who were there before.
  expect(await orderOf({ recipient_ids: [high.id] }, [second.id, third.id])).toEqual([high.id, low.id, middle.id])
})

/** Those that their operation requires. */
const queries: Record<string, string> = {
  '/admin/reports': '?state=open',
  '/geo/reverse': '?lat=45&lng=-122',
  '/geo/area': '?lat=45&lng=-122&area_km=1',
  '/geo/search': '?q=Coffee&lat=45&lng=-122',
  '/messages/search': '?q=Coffee',
}

interface Ids {
  ping: string
  chat: string
  person: string
  circle: string
}

/** The id of the object that an operation with this path reads. */
function idFor(path: string, ids: Ids): string {
  if (path.startsWith('/circles')) return ids.circle
  if (path.startsWith('/messages')) return ids.chat
  return /^\/users|profile-image/.test(path) ? ids.person : ids.ping
}
