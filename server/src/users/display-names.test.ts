import { listFriends, listReceivedRequests, listSentRequests, sendFriendRequest } from '@hither/contract/friends.ts'
import type { UserId } from '@hither/contract/ids.ts'
import {
  createConversation,
  getConversation,
  listConversations,
  sendMessage,
} from '@hither/contract/messages/messages.ts'
import { listUsers } from '@hither/contract/moderation.ts'
import { createPing, getPing, respondToPing } from '@hither/contract/pings.ts'
import { userTexts } from '@hither/contract/runtime/users.ts'
import { exportAccount, getMe, getUser, lookupUser, updateUser } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'
import { findReport, makeAdmin, place, report } from '../moderation/harness.ts'

let server: TestServer
let number = 0
/** Friends of each other. */
let ann: Person
let bob: Person
/** A friend of nobody. */
let eve: Person

beforeAll(async () => {
  server = await startServer()
})

beforeEach(async () => {
  number++
  ann = await server.signUp(`ann${number}`)
  bob = await server.signUp(`bob${number}`)
  eve = await server.signUp(`eve${number}`)
  await server.befriend(ann, bob)
})

afterAll(() => server.close())

const name = 'Ann Ünal 🦊'

function change(who: Person, display_name: string | null, id: UserId = who.id) {
  return server.call(updateUser, { params: { id }, body: { display_name } }, who)
}

describe('changing the display name', () => {
  it('stores a name in any script without the spaces around it, and removes it with null', async () => {
    const names = ['A', '  Ann  Ünal ', 'آنا محمد', '山田 花子', '🦊', '🇩🇪', '👩‍👩‍👧', "O'Neil-Ça #1", '𝔸'.repeat(40)]
    for (const one of names) {
      const { status, body } = await change(ann, one)
      expect([status, body.display_name]).toEqual([200, one.trim()])
    }
    expect((await server.call(updateUser, { params: { id: ann.id }, body: {} }, ann)).body.display_name).not.toBeNull()
    expect((await change(ann, null)).body.display_name).toBeNull()
    expect((await server.call(getMe, {}, ann)).body).toMatchObject({ username: ann.username, display_name: null })
  })

  it('refuses names that are empty, too long, of several lines or could pass for a link', async () => {
    await change(ann, name)
    const hostile = [
      '',
      '  ',
      '\u200b\u200b',
      '...',
      'a'.repeat(41),
      'a\nb',
      'a\u2028b',
      'a\u0007b',
      'a\u202eb',
      'a\u061cb',
    ]
    for (const one of [...hostile, 'https://x.yz', '<b>', 'a@b', 'a\\b', 'x'.repeat(500)]) {
      const detail = [{ loc: ['body', 'display_name'] }]
      expect(
        await server.request('PATCH', `/api/users/${ann.id}`, { body: { display_name: one }, as: ann }),
      ).toMatchObject({ status: 422, body: { detail } })
    }
    expect((await change(ann, 'a/b')).body).toMatchObject({ detail: [{ msg: userTexts.displayNameInvalid }] })
    expect((await server.call(getMe, {}, ann)).body.display_name).toBe(name)
  })

  it('is allowed for oneself only', async () => {
    expect((await change(eve, name, ann.id)).status).toBe(403)
    expect((await server.call(getMe, {}, ann)).body.display_name).toBeNull()
  })
})

describe('the display name', () => {
  it('comes with the username wherever another user is named', async () => {
    await change(ann, name)
    await server.call(sendFriendRequest, { body: { username: eve.username } }, ann)
    await server.call(sendFriendRequest, { body: { username: ann.username } }, await server.signUp(`gus${number}`))
    const conversation = await server.call(createConversation, { body: { participant_ids: [bob.id] } }, ann)
    const { id } = conversation.body
    await server.call(sendMessage, { body: { conversation_id: id, content: 'Hi' } }, ann)
    const mine = { display_name: name }

    expect((await server.call(listFriends, {}, bob)).body).toMatchObject([{ username: ann.username, ...mine }])
    expect((await server.call(listReceivedRequests, {}, eve)).body).toMatchObject([{ requester_display_name: name }])
    expect((await server.call(listSentRequests, {}, ann)).body).toMatchObject([{ requested_display_name: null }])
    expect((await server.call(getUser, { params: { id: ann.id } }, eve)).body).toMatchObject(mine)
    expect((await server.call(lookupUser, { body: { username: ann.username } }, eve)).body).toMatchObject(mine)
    expect((await server.call(listConversations, {}, bob)).body).toMatchObject([
      { direct_participant: mine, last_message: { sender_display_name: name } },
    ])
    const opened = await server.call(getConversation, { params: { id }, query: {} }, bob)
    expect(opened.body.participants.find(({ user_id }) => user_id === ann.id)).toMatchObject(mine)
    expect(opened.body.message_details.messages).toMatchObject([{ sender_display_name: name }])
  })

  it('is shown on pins, and to visitors of a public pin', async () => {
    await change(ann, name)
    await change(bob, 'Bob B.')
    const body = { ...place, is_public: true, responses_visible: true, recipient_ids: [bob.id] }
    const { id } = (await server.call(createPing, { body }, ann)).body
    const answer = { ping_id: id, response_type: 'accepted' } as const
    expect((await server.call(respondToPing, { body: answer }, bob)).body.display_name).toBe('Bob B.')
    expect((await server.call(getPing, { params: { id } }, ann)).body).toMatchObject({
      display_name: name,
      recipients: [{ recipient_display_name: 'Bob B.' }],
      responses: [{ display_name: 'Bob B.' }],
    })
    expect((await server.call(getPing, { params: { id } })).body).toMatchObject({ display_name: name })
  })

  it('reaches friends live, and not strangers', async () => {
    const [friend, stranger] = await Promise.all(
      [bob, eve].map((person) => server.listen(person, ['users', 'location_pins', 'messages'])),
    )
    await change(ann, name)
    const expected = { eventType: 'UPDATE', new: { username: ann.username, display_name: name }, old: { id: ann.id } }
    expect(await friend?.until((row) => row.new['display_name'] === name)).toMatchObject(expected)
    await server.call(createPing, { body: place }, ann)
    expect((await friend?.until((row) => row.table === 'location_pins'))?.new).toMatchObject({ display_name: name })
    const { body } = await server.call(createConversation, { body: { participant_ids: [bob.id] } }, ann)
    await server.call(sendMessage, { body: { conversation_id: body.id, content: 'Hi' } }, ann)
    expect((await friend?.until((row) => row.table === 'messages'))?.new).toMatchObject({ sender_display_name: name })
    await change(eve, 'Eve')
    await stranger?.until((row) => row.new['display_name'] === 'Eve')
    expect(stranger?.received.map((row) => row.new['id'])).toEqual([eve.id])
  })

  it('is stored with a report, shown to admins and exported to its owner', async () => {
    await change(ann, name)
    const admin = await makeAdmin(server, await server.signUp(`root${number}`))
    const { body } = await report(server, eve, { subject_id: ann.id })
    await change(ann, null)
    expect(await findReport(server, admin, body.id)).toMatchObject({ display_name: name })
    await change(ann, 'Ann Again')
    const people = await server.call(listUsers, { body: { q: ann.username } }, admin)
    expect(people.body).toMatchObject([{ username: ann.username, display_name: 'Ann Again' }])
    expect((await server.call(exportAccount, {}, ann)).body.account.display_name).toBe('Ann Again')
  })
})
