import type { Message } from '@hither/contract/messages/messages.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, receivedBy, startServer, type TestServer } from '../../../test/harness.ts'
import { taggedPicture } from '../../../test/pictures.ts'
import { openFolder, type TestStorage } from '../../../test/storages.ts'
import { actionsOn } from '../harness.ts'

/** The fields that a client reads that knows only texts, as recorded before messages had attachments. */
const recorded = {
  id: expect.any(String),
  conversation_id: expect.any(String),
  seq: expect.any(Number),
  sender_id: expect.any(String),
  sender_username: expect.any(String),
  content: expect.stringMatching(/\S/),
  created_at: expect.any(String),
}

let storage: TestStorage
let server: TestServer
let cast: ReturnType<typeof actionsOn>
let ann: Person
let bob: Person

beforeAll(async () => {
  storage = await openFolder()
  server = await startServer(storage.environment)
  cast = actionsOn(server)
  ;[ann, bob] = await Promise.all([server.signUp('ann'), server.signUp('bob')])
  await server.befriend(ann, bob)
})

afterAll(async () => {
  await server.close()
  await storage.close()
})

it('a client that knows only texts reads every message, sends texts and receives no reactions', async () => {
  const { id } = await cast.make(ann, [bob])
  const listener = await server.listen(bob, ['messages', 'users'])
  const { photo_id } = (await cast.upload(id, ann, await taggedPicture('jpeg'))).body
  const original = await cast.say(id, ann, 'See you at 8')
  await cast.post(id, ann, { photo_id })
  await cast.post(id, ann, { place: { latitude: 45.5, longitude: -122.6, address: 'Main Street 5' } })
  await cast.post(id, ann, { content: 'Or 9?', reply_to_id: original.id })
  await cast.react(original.id, ann)
  await cast.edit(original.id, ann, 'See you at 7')

  const rows = (await receivedBy(server, bob, listener)).map(({ eventType, new: row }) => [eventType, row])
  expect(rows.map(([type]) => type)).toEqual(['INSERT', 'INSERT', 'INSERT', 'INSERT', 'UPDATE'])
  for (const [, row] of rows) expect(row).toMatchObject(recorded)
  await listener.close()

  const path = `/api/messages/conversations/${id}?limit=20&offset=0`
  const page = await server.request('GET', path, { as: bob })
  const { messages } = (page.body as { message_details: { messages: Message[] } }).message_details
  for (const message of messages) expect(message).toMatchObject({ ...recorded, chat_id: id, read: false })
  expect(messages.map(({ content }) => content)).toEqual(['See you at 7', '📷 Photo', '📍 Place', 'Or 9?'])

  const body = { conversation_id: id, content: 'Fine', client_id: '01900000-0000-4000-8000-000000000001' }
  const sent = await server.request('POST', '/api/messages/send', { body, as: bob })
  expect(sent).toMatchObject({ status: 201, body: { message: { ...recorded, content: 'Fine' } } })
})
