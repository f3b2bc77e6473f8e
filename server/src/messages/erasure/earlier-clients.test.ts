import type { Conversation } from '@hither/contract/messages/messages.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { receivedBy } from '../../../test/harness.ts'
import { type Cast, startCast } from './harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})
afterAll(() => cast.server.close())

/** The fields that a client reads that knows no dates of chats, as recorded before chats had them. */
const recorded = {
  id: expect.any(String),
  name: 'Coffee Chat',
  type: 'group',
  ping_id: expect.any(String),
  system_created: true,
  created_at: expect.any(String),
  updated_at: expect.any(String),
  unread_count: 0,
  last_message: null,
  direct_participant: null,
  pinned_at: null,
  archived_at: null,
}
const recordedRow = {
  id: expect.any(String),
  user_id: expect.any(String),
  name: 'Coffee Chat',
  type: 'group',
  role: 'member',
  updated_at: expect.any(String),
  unread_count: 0,
  pinned_at: null,
  archived_at: null,
}

it('a client that knows no dates reads the chat of a ping as before, and sees it vanish like a deleted group', async () => {
  const { server, ann, bob, cat, pings, chats } = cast
  const ping = await pings.drop(ann)
  const body = { name: 'Coffee Chat', participant_ids: [bob.id, cat.id], ping_id: ping.id, system_created: true }
  const made = await server.request('POST', '/api/messages/conversations/', { body, as: ann })
  expect(made).toMatchObject({ status: 201, body: recorded })
  const chat = made.body as Conversation
  for (const path of ['', '/summaries', `/${chat.id}?limit=20&offset=0`]) {
    const answer = await server.request('GET', `/api/messages/conversations${path}`, { as: bob })
    expect([answer.status, [answer.body].flat()[0]]).toMatchObject([200, recorded])
  }
  const listener = await server.listen(bob, ['chats', 'users'])
  await chats.keep(chat.id, cat)
  cast.advanceTo(chat)
  await cast.eraseDue()
  const [asked, gone, ...others] = await receivedBy(server, bob, listener)
  expect(asked).toMatchObject({ eventType: 'UPDATE', new: recordedRow })
  expect(gone).toMatchObject({ eventType: 'DELETE', old: { id: chat.id, user_id: bob.id } })
  expect(others).toEqual([])
  await listener.close()
  const sent = await server.request('POST', '/api/messages/send', {
    body: { conversation_id: chat.id, content: 'Hello' },
    as: bob,
  })
  expect(sent).toMatchObject({ status: 404, body: { code: 'conversation_not_found' } })
})
