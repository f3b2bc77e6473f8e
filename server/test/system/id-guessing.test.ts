import { randomUUID } from 'node:crypto'
import { endSession, listSessions } from '@hither/contract/auth/auth.ts'
import * as passkeys from '@hither/contract/auth/passkeys.ts'
import * as circles from '@hither/contract/circles.ts'
import { deletePingImage, getMessagePhoto, getPingImage } from '@hither/contract/files.ts'
import { revokeFriendLink } from '@hither/contract/friend-links.ts'
import { listFriends, removeFriend, respondToFriendRequest, sendFriendRequest } from '@hither/contract/friends.ts'
import * as guests from '@hither/contract/guests.ts'
import { searchMessages } from '@hither/contract/messages/message-search.ts'
import * as messages from '@hither/contract/messages/messages.ts'
import * as reactions from '@hither/contract/messages/reactions.ts'
import { muteConversation, unmuteConversation } from '@hither/contract/notifications.ts'
import type { Operation } from '@hither/contract/operation.ts'
import * as pings from '@hither/contract/pings.ts'
import { createReport } from '@hither/contract/reports.ts'
import { filledPath, splitAddress } from '@hither/contract/runtime/address.ts'
import * as trips from '@hither/contract/trips.ts'
import { exportAccountWithPassword } from '@hither/contract/users.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeLink } from '../../src/friend-links/harness.ts'
import { createAuthenticator } from '../authenticator.ts'
import { type Person, password, startServer, type TestServer } from '../harness.ts'
import { operations } from '../operations.ts'
import { taggedPicture } from '../pictures.ts'

let server: TestServer
let ann: Person
let bob: Person
let eve: Person
/** The id of one existing object of each kind that eve has no access to. */
let real: Record<Kind, string>

type Kind =
  | 'ping'
  | 'conversation'
  | 'message'
  | 'friendship'
  | 'request'
  | 'session'
  | 'friendLink'
  | 'circle'
  | 'passkey'

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
  const circle = { name: 'Secret colleagues', member_ids: [bob.id] }
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
    friendLink: (await makeLink(server, ann)).id,
    circle: (await server.call(circles.createCircle, { body: circle }, ann)).body.id,
    passkey: await addPasskey(ann),
  }
})

afterAll(() => server.close())

async function addPasskey(who: Person): Promise<string> {
  const { body: options } = await server.call(passkeys.createPasskeyOptions, { body: {} }, who)
  const response = createAuthenticator('http://localhost:3000').create(options)
  return (await server.call(passkeys.createPasskey, { body: { response, name: 'Secret key' } }, who)).body.id
}

type Ask = (id: string) => { params?: Record<string, string>; body?: object }
const inPath =
  (name: string, body?: object): Ask =>
  (id) => ({ params: { [name]: id }, ...(body && { body }) })

const guestToken = 'A'.repeat(43)

/** All operations that take the id of an object that may belong to somebody else. */
const calls: [Operation, Kind, Ask][] = [
  [endSession, 'session', inPath('id')],
  [passkeys.renamePasskey, 'passkey', inPath('id', { name: 'Mine' })],
  [passkeys.deletePasskey, 'passkey', inPath('id')],
  [deletePingImage, 'ping', inPath('pingId')],
  [getPingImage, 'ping', (id) => ({ params: { a: id, b: id } })],
  [removeFriend, 'friendship', inPath('id')],
  [circles.changeCircle, 'circle', inPath('id', { name: 'Mine' })],
  [circles.deleteCircle, 'circle', inPath('id')],
  [revokeFriendLink, 'friendLink', inPath('id')],
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
  [messages.editMessage, 'message', inPath('id', { content: 'Mine' })],
  [messages.pinConversation, 'conversation', inPath('id')],
  [messages.unpinConversation, 'conversation', inPath('id')],
  [messages.archiveConversation, 'conversation', inPath('id')],
  [messages.unarchiveConversation, 'conversation', inPath('id')],
  [messages.keepConversation, 'conversation', inPath('id')],
  [messages.takeBackKeepRequest, 'conversation', inPath('id')],
  [reactions.setReaction, 'message', inPath('id', { emoji: '👍' })],
  [reactions.removeReaction, 'message', inPath('id')],
  [reactions.listReactions, 'message', inPath('id')],
  [getMessagePhoto, 'message', inPath('messageId')],
  [createReport, 'ping', (id) => ({ body: { subject: 'ping', subject_id: id, reason: 'spam' } })],
  [createReport, 'message', (id) => ({ body: { subject: 'message', subject_id: id, reason: 'spam' } })],
  [muteConversation, 'conversation', inPath('conversationId', { muted_until: null })],
  [unmuteConversation, 'conversation', inPath('conversationId')],
  [guests.createGuest, 'ping', inPath('id', { token: guestToken, name: 'Mia', response_type: 'accepted' })],
  [guests.getGuest, 'ping', inPath('id')],
  [guests.changeGuest, 'ping', inPath('id', { response_type: 'accepted' })],
  [guests.withdrawGuest, 'ping', inPath('id')],
  [guests.claimGuest, 'ping', inPath('id', { token: guestToken })],
  [guests.approveGuest, 'ping', (id) => ({ params: { id, guestId: randomUUID() } })],
  [guests.removeGuest, 'ping', (id) => ({ params: { id, guestId: randomUUID() } })],
  [pings.createPing, 'circle', (id) => ({ body: { ...pingWords, circle_ids: [id], recipient_ids: [] } })],
  [pings.getPing, 'ping', inPath('id')],
  [pings.getPingCalendar, 'ping', inPath('id')],
  [pings.getPingPreview, 'ping', inPath('id')],
  [pings.changePing, 'ping', inPath('id', { extend_minutes: 15 })],
  [pings.changePing, 'ping', inPath('id', { name: 'Mine', latitude: 1, longitude: 2 })],
  [pings.invitePeople, 'ping', (id) => ({ params: { id }, body: { recipient_ids: [bob.id] } })],
  [pings.removeInvitee, 'ping', (id) => ({ params: { id, userId: bob.id } })],
  [pings.cancelPing, 'ping', inPath('id', { message: 'Rain' })],
  [pings.deletePing, 'ping', inPath('id')],
  [pings.listResponses, 'ping', inPath('id')],
  [pings.respondToPing, 'ping', (id) => ({ body: { ping_id: id, response_type: 'accepted' } })],
  [pings.removeResponse, 'ping', inPath('id')],
  [trips.shareTrip, 'ping', inPath('id', { eta_minutes: 10 })],
  [trips.arriveAtPing, 'ping', inPath('id')],
  [trips.stopTrip, 'ping', inPath('id')],
]

async function answerTo(operation: Operation, ask: Ask, id: string, who: Person | undefined) {
  const { params = {}, body } = ask(id)
  const path = filledPath(operation.address, params)
  const options = { ...(body && { body }), ...(who && { as: who }) }
  const answer = await server.request(splitAddress(operation.address).method, `/api${path}`, options)
  // Compares the header names and values that describe the body. Values that depend on the time or the id are left out.
  const headers = Object.fromEntries(answer.headers)
  for (const name of ['date', 'x-request-id']) delete headers[name]
  return { status: answer.status, body: answer.body, headers }
}

describe('the id of an object of another user', () => {
  it.each(calls.map((call) => [call[0].address, call[1], call] as const))(
    'gets the same response as an unknown id in %s (%s), for a stranger and a visitor',
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

  it('is tested with every operation that takes an id', () => {
    // Excluded are users, whom every signed-in user may look up, operations for admins, which others cannot see, public maps, and
    // kinds of identities, which are no ids.
    const elsewhere = (address: string) => / \/(?:users|admin|maps|auth\/identities)\/|profile-image/.test(address)
    const named = operations
      .filter(({ address, upload }) => /:(?!username)/.test(address) && !elsewhere(address) && !upload)
      .filter((operation) => !calls.some(([tried]) => tried === operation))
    expect(named.map(({ address }) => address)).toEqual([])
  })

  it('does not change the object', async () => {
    const ping = await server.call(pings.getPing, { params: { id: real.ping as pings.Ping['id'] } }, ann)
    expect(ping).toMatchObject({ status: 200, body: { ...pingWords, status: 'active' } })
    const chat = await server.request('GET', `/api/messages/conversations/${real.conversation}`, { as: ann })
    expect(JSON.stringify(chat.body)).toContain('Secret words')
    expect((await server.call(listSessions, {}, ann)).body).toHaveLength(1)
    expect((await server.call(listFriends, {}, ann)).body).toHaveLength(1)
  })
})

describe('the chat of a ping after its date, before the job has run', () => {
  type Ids = Record<'conversation' | 'message', string>
  /** With its ping, for its admin; and of a deleted ping, for a person who left it afterwards. */
  let ended: readonly { readonly ids: Ids; readonly who: () => Person }[]
  let left: Person

  beforeAll(async () => {
    const [dan, fay] = [await server.signUp('dan'), await server.signUp('fay')]
    for (const friend of [dan, fay]) await server.befriend(ann, friend)
    const make = async () => {
      const ping = await server.call(pings.createPing, { body: { ...pingWords, recipient_ids: [dan.id, fay.id] } }, ann)
      const body = { name: 'Chat', participant_ids: [dan.id, fay.id], ping_id: ping.body.id, system_created: true }
      const { id } = (await server.call(messages.createConversation, { body }, ann)).body
      const said = await server.call(messages.sendMessage, { body: { conversation_id: id, content: 'Over' } }, ann)
      expect((await answerTo(messages.getConversation, inPath('id'), id, ann)).status).toBe(200)
      return { pingId: ping.body.id, ids: { conversation: id, message: said.body.message.id } }
    }
    const [withPing, withoutPing] = [await make(), await make()]
    await server.call(pings.deletePing, { params: { id: withoutPing.pingId } }, ann)
    await server.call(messages.leaveConversation, { params: { id: withoutPing.ids.conversation } }, fay)
    ended = [
      { ids: withPing.ids, who: () => ann },
      { ids: withoutPing.ids, who: () => left },
    ]
    server.clock.advance(8 * 86_400_000)
    ;[ann, left] = [await server.signIn(ann), await server.signIn(fay)]
  })

  const searching: [Operation, Kind, Ask] = [
    searchMessages,
    'conversation',
    (id) => ({ body: { q: 'Over', conversation_id: id } }),
  ]
  const ofChats = [...calls, searching].filter(([, kind]) => kind === 'conversation' || kind === 'message')

  it.each(ofChats.map((call) => [call[0].address, call[1], call] as const))(
    'gets the same response as an unknown id in %s (%s), for its admin and for a person who left it',
    async (_name, kind, [operation, , ask]) => {
      for (const { ids, who } of ended) {
        const [there, nowhere] = [
          await answerTo(operation, ask, ids[kind as keyof Ids], who()),
          await answerTo(operation, ask, randomUUID(), who()),
        ]
        expect(there).toEqual(nowhere)
        // Calls that repeat an end succeed for any id.
        expect([204, 404]).toContain(there.status)
      }
    },
  )

  it('accepts no photo, and is in no list, search, ping, mute or export', async () => {
    const form = new FormData()
    form.append('file', new Blob([(await taggedPicture('jpeg')) as Uint8Array<ArrayBuffer>]), 'me.jpg')
    const response = await fetch(`${server.url}/api/messages/conversations/${ended[0]?.ids.conversation}/photos`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${ann.session.access_token}` },
    })
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'conversation_not_found' }])
    const seen = [
      await server.call(messages.listConversations, {}, ann),
      await server.call(messages.listConversationSummaries, {}, ann),
      await server.call(pings.listMyPings, {}, ann),
      await server.call(searchMessages, { body: { q: 'Over' } }, ann),
      await server.call(exportAccountWithPassword, { body: { password } }, ann),
      await server.call(exportAccountWithPassword, { body: { password } }, left),
    ]
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    const traces = ['Over', ...ended.map(({ ids }) => ids.conversation)]
    for (const { body } of seen) for (const trace of traces) expect(JSON.stringify(body)).not.toContain(trace)
  })
})
