import { randomUUID } from 'node:crypto'
import { endSession, listSessions } from '@hither/contract/auth.ts'
import { deletePingImage, getPingImage } from '@hither/contract/files.ts'
import { listFriends, removeFriend, respondToFriendRequest, sendFriendRequest } from '@hither/contract/friends.ts'
import * as messages from '@hither/contract/messages.ts'
import { createReport } from '@hither/contract/moderation.ts'
import { muteConversation, unmuteConversation } from '@hither/contract/notifications.ts'
import { type Operation } from '@hither/contract/operation.ts'
import * as pings from '@hither/contract/pings.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { nameOf, operations } from '../../test/operations.ts'

let server: TestServer
let ann: Person
let bob: Person
let eve: Person
/** Of each kind one that is there, and that eve has no part in. */
let real: Record<Kind, string>

type Kind = 'ping' | 'conversation' | 'message' | 'friendship' | 'request' | 'session'

const pingWords = { name: 'Secret place', latitude: 45.5, longitude: -122.6 }

beforeAll(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
  const cat = await server.signUp('cat')
  eve = await server.signUp('eve')
  await server.befriend(ann, bob)
  const ping = await server.call(pings.createPing, { body: { ...pingWords, recipient_ids: [bob.id] } }, ann)
  const chat = await server.call(messages.createConversation, { body: { participant_ids: [bob.id] } }, ann)
  const said = await server.call(
    messages.sendMessage,
    { body: { conversation_id: chat.body.id, content: 'Secret words' } },
    ann,
  )
  const request = await server.call(sendFriendRequest, { body: { username: cat.username } }, ann)
  const friends = await server.call(listFriends, {}, ann)
  const sessions = await server.call(listSessions, {}, ann)
  real = {
    ping: ping.body.id,
    conversation: chat.body.id,
    message: said.body.message.id,
    friendship: String(friends.body[0]?.id),
    request: String(request.body.id),
    session: String(sessions.body[0]?.id),
  }
})

afterAll(() => server.close())

type Ask = (id: string) => { params?: Record<string, string>; body?: object }
const inPath =
  (name: string, body?: object): Ask =>
  (id) => ({ params: { [name]: id }, ...(body && { body }) })

/** Every call that names a thing which may be somebody else's. */
const calls: [Operation, Kind, Ask][] = [
  [endSession, 'session', inPath('id')],
  [deletePingImage, 'ping', inPath('pingId')],
  [getPingImage, 'ping', (id) => ({ params: { a: id, b: id } })],
  [removeFriend, 'friendship', inPath('id')],
  [respondToFriendRequest, 'request', inPath('id', { action: 'accepted' })],
  [messages.getConversation, 'conversation', inPath('id')],
  [messages.joinConversation, 'conversation', inPath('id')],
  [messages.sendMessage, 'conversation', (id) => ({ body: { conversation_id: id, content: 'x' } })],
  [
    messages.createConversation,
    'ping',
    (id) => ({ body: { name: 'Mine', participant_ids: [ann.id, bob.id], ping_id: id } }),
  ],
  [messages.addParticipant, 'conversation', (id) => ({ params: { id }, body: { user_id: eve.id } })],
  [messages.removeParticipant, 'conversation', (id) => ({ params: { id }, body: { user_id: ann.id } })],
  [messages.leaveConversation, 'conversation', inPath('id')],
  [messages.deleteConversation, 'conversation', inPath('id')],
  [messages.renameConversation, 'conversation', inPath('id', { name: 'Mine' })],
  [messages.markConversationRead, 'conversation', inPath('id')],
  [messages.deleteMessage, 'message', inPath('id')],
  [createReport, 'ping', (id) => ({ body: { subject: 'ping', subject_id: id, reason: 'spam' } })],
  [createReport, 'message', (id) => ({ body: { subject: 'message', subject_id: id, reason: 'spam' } })],
  [muteConversation, 'conversation', inPath('conversationId', { muted_until: null })],
  [unmuteConversation, 'conversation', inPath('conversationId')],
  [pings.getPing, 'ping', inPath('id')],
  [pings.getPingCalendar, 'ping', inPath('id')],
  [pings.getPingPreview, 'ping', inPath('id')],
  [pings.changePing, 'ping', inPath('id', { extend_minutes: 15 })],
  [pings.deletePing, 'ping', inPath('id')],
  [pings.listResponses, 'ping', inPath('id')],
  [pings.respondToPing, 'ping', (id) => ({ body: { ping_id: id, response_type: 'accepted' } })],
  [pings.removeResponse, 'ping', inPath('id')],
]

async function answerTo(operation: Operation, ask: Ask, id: string, who: Person | undefined) {
  const { params = {}, body } = ask(id)
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  const options = { ...(body && { body }), ...(who && { as: who }) }
  const answer = await server.request(operation.method, `/api${path}`, options)
  // The names of headers, and what is said of the body; what is of the moment or of the id is not compared.
  const headers = Object.fromEntries(answer.headers)
  for (const name of ['date', 'x-request-id']) delete headers[name]
  return { status: answer.status, body: answer.body, headers }
}

describe('the id of what is somebody else’s', () => {
  it.each(calls.map((call) => [nameOf(call[0]), call[1], call] as const))(
    'tells a stranger and a visitor nothing in %s (%s): the answer is that to an id of nothing',
    async (_name, kind, [operation, , ask]) => {
      for (const who of [eve, undefined]) {
        const [there, nowhere] = [
          await answerTo(operation, ask, real[kind], who),
          await answerTo(operation, ask, randomUUID(), who),
        ]
        expect(there).toEqual(nowhere)
        expect(there.status).not.toBe(422)
        expect(JSON.stringify(there)).not.toMatch(/Secret|45\.5|ann/)
      }
    },
  )

  it('is tried in every call that takes one', () => {
    // Of people, whom anyone signed in may look up; of what is for admins, to whom those calls exist alone; of maps, which are for all.
    const elsewhere = (path: string) => /^\/(?:users|admin|maps)\/|profile-image/.test(path)
    const named = operations
      .filter(({ path, upload }) => /:(?!username)/.test(path) && !elsewhere(path) && !upload)
      .filter((operation) => !calls.some(([tried]) => tried === operation))
    expect(named.map(nameOf)).toEqual([])
  })

  it('does nothing to it either', async () => {
    const ping = await server.call(pings.getPing, { params: { id: real.ping as pings.Ping['id'] } }, ann)
    expect(ping).toMatchObject({ status: 200, body: { ...pingWords, status: 'active' } })
    const chat = await server.request('GET', `/api/messages/conversations/${real.conversation}`, { as: ann })
    expect(JSON.stringify(chat.body)).toContain('Secret words')
    expect((await server.call(listSessions, {}, ann)).body).toHaveLength(1)
    expect((await server.call(listFriends, {}, ann)).body).toHaveLength(1)
  })
})
