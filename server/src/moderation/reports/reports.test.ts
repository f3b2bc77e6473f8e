import type { MessageId, PingId, ReportId } from '@hither/contract/ids.ts'
import { createConversation, deleteMessage, getConversation, sendMessage } from '@hither/contract/messages/messages.ts'
import { createPing, deletePing, getPing, respondToPing } from '@hither/contract/pings.ts'
import { deleteReported, dismissReport, type ReportSubject } from '@hither/contract/reports.ts'
import { deleteAccount, getUser } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../../test/harness.ts'
import { openFolder, type TestStorage } from '../../../test/storages.ts'
import { findReport, makeAdmin, place, report, upload } from '../harness.ts'

let storage: TestStorage
let server: TestServer
let admin: Person
let number = 0
/** Friends of each other. */
let ann: Person
let bob: Person
/** A friend of nobody. */
let eve: Person

beforeAll(async () => {
  storage = await openFolder()
  server = await startServer(storage.environment)
  admin = await makeAdmin(server, await server.signUp('root'))
})

beforeEach(async () => {
  number++
  ann = await server.signUp(`ann${number}`)
  bob = await server.signUp(`bob${number}`)
  eve = await server.signUp(`eve${number}`)
  await server.befriend(ann, bob)
})

afterAll(async () => {
  await server.close()
  await storage.close()
})

const nobody = '01900000-0000-7000-8000-0000000000ff'
const dayMs = 86_400_000

async function drop(owner: Person, more: object = {}): Promise<PingId> {
  const body = { ...place, message: 'Come', address: 'Nero, Main Street', ...more }
  return (await server.call(createPing, { body }, owner)).body.id
}

async function say(from: Person, to: Person, content: string) {
  const { body } = await server.call(createConversation, { body: { participant_ids: [to.id] } }, from)
  const sent = await server.call(sendMessage, { body: { conversation_id: body.id, content } }, from)
  return { conversationId: body.id, messageId: sent.body.message.id }
}

async function reported(who: Person, subject: ReportSubject, subject_id: string): Promise<ReportId> {
  const { status, body } = await report(server, who, { subject, subject_id })
  expect(status).toBe(201)
  return body.id
}

describe('a report', () => {
  it('of a user stores their state', async () => {
    const answer = await report(server, eve, { subject_id: ann.id, reason: 'spam', text: '  Ads, ads  ' })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ id: expect.any(String), created_at: server.clock.now().toISOString() })
    await server.request('PATCH', `/api/users/${ann.id}`, { body: { username: `anne${number}` }, as: ann })
    expect(await findReport(server, admin, answer.body.id)).toEqual({
      id: answer.body.id,
      subject: 'user',
      reason: 'spam',
      text: 'Ads, ads',
      created_at: server.clock.now().toISOString(),
      reporter_username: eve.username,
      user_id: ann.id,
      username: ann.username,
      display_name: null,
      name: null,
      content: null,
      address: null,
      latitude: null,
      longitude: null,
      made_at: null,
      has_picture: false,
      is_suspended: false,
      outcome: 'open',
      handled_at: null,
      handled_by_username: null,
    })
  })

  it('of a ping stores its state with its picture, also after the ping is deleted', async () => {
    const ping = await drop(ann)
    await upload(server, ann, `pin-image/${ping}`)
    const id = await reported(bob, 'ping', ping)
    expect((await server.call(deletePing, { params: { id: ping } }, ann)).status).toBe(204)
    await server.app.fileJobs.runDue()
    expect(await findReport(server, admin, id)).toMatchObject({
      subject: 'ping',
      username: ann.username,
      name: 'Coffee',
      content: 'Come',
      address: 'Nero, Main Street',
      latitude: 45.5,
      longitude: -122.6,
      has_picture: true,
    })
    const picture = await server.request('GET', `/api/admin/reports/${id}/picture`, { as: admin })
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(await storage.listFiles()).toHaveLength(1)
  })

  it('of a ping stores the place that its reporter may know', async () => {
    const center = { latitude: 45.505, longitude: -122.604043, address: null }
    const exact = { latitude: 45.5, longitude: -122.6, address: 'Nero, Main Street' }
    const ping = await drop(ann, { exact_place_for: 'going' })
    const roughly = await reported(bob, 'ping', ping)
    expect(await findReport(server, admin, roughly)).toMatchObject(center)
    const other = await drop(ann, { exact_place_for: 'going' })
    await server.call(respondToPing, { body: { ping_id: other, response_type: 'accepted' } }, bob)
    const exactly = await reported(bob, 'ping', other)
    expect(await findReport(server, admin, exactly)).toMatchObject(exact)
    // The place of the first report stays the one that was seen.
    await server.call(respondToPing, { body: { ping_id: ping, response_type: 'accepted' } }, bob)
    expect(await findReport(server, admin, roughly)).toMatchObject(center)
  })

  it('of a message stores its text, also after the message is deleted', async () => {
    const { messageId } = await say(ann, bob, 'Something nasty')
    const id = await reported(bob, 'message', messageId)
    expect((await server.call(deleteMessage, { params: { id: messageId } }, ann)).status).toBe(204)
    expect(await findReport(server, admin, id)).toMatchObject({
      subject: 'message',
      username: ann.username,
      content: 'Something nasty',
      latitude: null,
    })
  })

  it('of a picture stores the picture, and only the name of its ping', async () => {
    const ping = await drop(ann)
    await upload(server, ann, `pin-image/${ping}`)
    await upload(server, ann, 'profile-image')
    const ofPing = await reported(bob, 'pin_image', ping)
    const ofPerson = await reported(eve, 'profile_image', ann.id)
    expect(await findReport(server, admin, ofPing)).toMatchObject({
      name: 'Coffee',
      content: null,
      address: null,
      latitude: null,
      longitude: null,
      has_picture: true,
    })
    expect(await findReport(server, admin, ofPerson)).toMatchObject({ username: ann.username, has_picture: true })
  })

  it('repeated changes nothing while it is open, and is a new one afterwards', async () => {
    const first = await report(server, eve, { subject_id: ann.id, text: 'Once' })
    const again = await report(server, eve, { subject_id: ann.id.toUpperCase(), text: 'Twice', reason: 'spam' })
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await findReport(server, admin, first.body.id)).toMatchObject({ text: 'Once', reason: 'harassment' })
    const others = await report(server, bob, { subject_id: ann.id })
    expect(others.body.id).not.toBe(first.body.id)
    await server.call(dismissReport, { params: { id: first.body.id } }, admin)
    const later = await report(server, eve, { subject_id: ann.id })
    expect([later.status, later.body.id === first.body.id]).toEqual([201, false])
  })

  it('made twice concurrently is stored once, with one copy of the picture', async () => {
    await upload(server, ann, 'profile-image')
    const before = (await storage.listFiles()).length
    const answers = await Promise.all([1, 2, 3].map(() => report(server, eve, { subject_id: ann.id })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    await server.app.fileJobs.runDue()
    expect(await storage.listFiles()).toHaveLength(before + 1)
  })

  it.each<[ReportSubject, () => Promise<string>]>([
    ['user', async () => ann.id],
    ['ping', () => drop(ann)],
    ['message', async () => (await say(ann, bob, 'Mine')).messageId],
    ['profile_image', async () => ann.id],
    ['pin_image', () => drop(ann)],
  ])('of an own %s is refused', async (subject, make) => {
    const id = await make()
    await upload(server, ann, 'profile-image')
    if (subject === 'pin_image') await upload(server, ann, `pin-image/${id}`)
    expect(await report(server, ann, { subject, subject_id: id })).toMatchObject({
      status: 400,
      body: { detail: "You can't report yourself or your own content", code: 'own_report' },
    })
  })

  it.each<[ReportSubject, string, () => Promise<string>]>([
    ['ping', 'Pin not found or has expired', () => drop(ann)],
    ['message', 'Message not found', async () => (await say(ann, bob, 'Ours')).messageId],
    [
      'pin_image',
      'Image not found',
      async () => {
        const ping = await drop(ann)
        await upload(server, ann, `pin-image/${ping}`)
        return ping
      },
    ],
  ])('of a %s that its reporter may not see is refused like that of an unknown one', async (subject, detail, make) => {
    const subject_id = await make()
    const unseen = await report(server, eve, { subject, subject_id })
    const unknown = await report(server, eve, { subject, subject_id: nobody })
    expect([unseen.status, unseen.body]).toEqual([404, { detail, code: expect.stringMatching(/_not_found$/) }])
    expect([unknown.status, unknown.body]).toEqual([404, unseen.body])
    expect((await report(server, bob, { subject, subject_id })).status).toBe(201)
  })

  it('of a user who has blocked the reporter returns 404, and of one whom the reporter has blocked succeeds', async () => {
    await upload(server, ann, 'profile-image')
    await server.request('POST', `/api/friends/block/${eve.username}`, { as: ann })
    for (const subject_id of [ann.id, nobody]) {
      expect(await report(server, eve, { subject_id })).toMatchObject({
        status: 404,
        body: { detail: 'User not found', code: 'user_not_found' },
      })
      expect(await report(server, eve, { subject: 'profile_image', subject_id })).toMatchObject({
        status: 404,
        body: { detail: 'Image not found', code: 'image_not_found' },
      })
    }
    await upload(server, eve, 'profile-image')
    const blocked = await report(server, ann, { subject_id: eve.id })
    expect(blocked.status).toBe(201)
    expect(await findReport(server, admin, blocked.body.id)).toMatchObject({ has_picture: false })
    expect((await report(server, ann, { subject: 'profile_image', subject_id: eve.id })).status).toBe(404)
  })

  it('of a missing picture is refused', async () => {
    expect((await report(server, eve, { subject: 'profile_image', subject_id: ann.id })).status).toBe(404)
    expect((await report(server, bob, { subject: 'pin_image', subject_id: await drop(ann) })).status).toBe(404)
  })

  it.each([
    ['subject', 'conversation'],
    ['subject', undefined],
    ['subject_id', 'me'],
    ['subject_id', 7],
    ['reason', 'because'],
    ['reason', undefined],
    ['text', 'x'.repeat(1001)],
    ['text', 'a\u0000b'],
    ['text', 7],
  ])('with the %s %j is refused', async (field, value) => {
    const body = { subject: 'user', subject_id: ann.id, reason: 'spam', [field]: value }
    const answer = await server.request('POST', '/api/reports', { body, as: eve })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', field] }] } })
  })

  it('ignores all other fields of the request', async () => {
    const body = {
      subject: 'user',
      subject_id: ann.id,
      reason: 'spam',
      username: 'forged',
      content: 'forged',
      user_id: bob.id,
      reporter_id: bob.id,
      outcome: 'suspended',
      picture_storage_key: 'x',
    }
    const { body: made } = await server.request('POST', '/api/reports', { body, as: eve })
    const { id } = made as { id: ReportId }
    expect(await findReport(server, admin, id)).toMatchObject({
      username: ann.username,
      content: null,
      user_id: ann.id,
      reporter_username: eve.username,
      outcome: 'open',
      has_picture: false,
    })
    expect((await server.request('POST', '/api/reports', { body })).status).toBe(401)
  })

  it('is visible to admins only', async () => {
    const listener = await server.listen(ann, ['users', 'friendships', 'location_pins', 'messages'])
    await reported(eve, 'user', ann.id)
    await server.request('PATCH', `/api/users/${bob.id}`, { body: { username: `bobby${number}` }, as: bob })
    await listener.until(({ table }) => table === 'users')
    expect(listener.received).toHaveLength(1)
    const { body } = await server.request('GET', '/api/users/me/export', { as: ann })
    expect(JSON.stringify(body)).not.toContain(eve.username)
  })
})

describe('deleting a reported thing', () => {
  it('removes a ping for its friends at once', async () => {
    const ping = await drop(ann)
    const id = await reported(bob, 'ping', ping)
    const second = await reported(await befriended(), 'ping', ping)
    const [anns, bobs] = await Promise.all([ann, bob].map((person) => server.listen(person, ['location_pins'])))
    expect((await server.call(deleteReported, { params: { id } }, admin)).status).toBe(204)
    for (const listener of [anns, bobs]) {
      const gone = await listener?.until(({ eventType }) => eventType === 'DELETE')
      expect(gone?.old).toMatchObject({ id: ping })
    }
    expect((await server.call(getPing, { params: { id: ping } }, ann)).status).toBe(404)
    for (const one of [id, second]) {
      expect(await findReport(server, admin, one, 'handled')).toMatchObject({
        outcome: 'deleted',
        handled_by_username: admin.username,
        content: 'Come',
      })
    }
    expect((await server.call(deleteReported, { params: { id } }, admin)).status).toBe(409)
  })

  async function befriended(): Promise<Person> {
    const cat = await server.signUp(`cat${number}`)
    await server.befriend(ann, cat)
    await server.db`
      insert into ping_recipients (id, ping_id, recipient_id, expires_at)
      select gen_random_uuid(), id, ${cat.id}, expires_at from location_pins where user_id = ${ann.id}`
    return cat
  }

  it('removes the text of a message from its conversation at once', async () => {
    const { conversationId, messageId } = await say(ann, bob, 'Something nasty')
    const id = await reported(bob, 'message', messageId)
    const listener = await server.listen(bob, ['messages', 'chats'])
    expect((await server.call(deleteReported, { params: { id } }, admin)).status).toBe(204)
    const gone = await listener.until(({ table, eventType }) => table === 'messages' && eventType === 'DELETE')
    expect(gone.old).toMatchObject({ id: messageId })
    const count = await listener.until(({ table }) => table === 'chats')
    expect(count.new).toMatchObject({ unread_count: 0 })
    const { body } = await server.call(getConversation, { params: { id: conversationId }, query: {} }, bob)
    expect(body.message_details.messages).toEqual([])
  })

  it('removes a picture, unless it has been replaced', async () => {
    await upload(server, ann, 'profile-image')
    const id = await reported(eve, 'profile_image', ann.id)
    const listener = await server.listen(bob, ['users'])
    expect((await server.call(deleteReported, { params: { id } }, admin)).status).toBe(204)
    await listener.until((change) => change.new['has_image'] === false)
    expect((await server.call(getUser, { params: { id: ann.id } }, eve)).body.has_image).toBe(false)

    await upload(server, ann, 'profile-image')
    const later = await reported(eve, 'profile_image', ann.id)
    await server.db`update images set hash = 'another' where user_id = ${ann.id}`
    expect((await server.call(deleteReported, { params: { id: later } }, admin)).status).toBe(204)
    expect((await server.call(getUser, { params: { id: ann.id } }, eve)).body.has_image).toBe(true)
  })

  it('removes the picture of a ping and keeps the ping', async () => {
    const ping = await drop(ann)
    await upload(server, ann, `pin-image/${ping}`)
    const id = await reported(bob, 'pin_image', ping)
    expect((await server.call(deleteReported, { params: { id } }, admin)).status).toBe(204)
    expect((await server.call(getPing, { params: { id: ping } }, bob)).body).toMatchObject({ has_image: false })
  })

  it('succeeds if its owner has deleted it, and is refused for a user', async () => {
    const ping = await drop(ann)
    const id = await reported(bob, 'ping', ping)
    await server.call(deletePing, { params: { id: ping } }, ann)
    expect((await server.call(deleteReported, { params: { id } }, admin)).status).toBe(204)
    const ofAnn = await reported(bob, 'user', ann.id)
    expect(await server.call(deleteReported, { params: { id: ofAnn } }, admin)).toMatchObject({
      status: 409,
      body: { detail: "A person can't be deleted. Suspend them instead.", code: 'report_not_deletable' },
    })
    expect((await server.call(deleteReported, { params: { id: nobody as ReportId } }, admin)).status).toBe(404)
  })

  it('works for a message of a deleted account', async () => {
    const { conversationId, messageId } = await say(ann, bob, 'Left behind')
    await server.call(deleteAccount, { body: { password } }, ann)
    const id = await reported(bob, 'message', messageId)
    expect(await findReport(server, admin, id)).toMatchObject({ user_id: null, username: 'Deleted user' })
    expect((await server.call(deleteReported, { params: { id } }, admin)).status).toBe(204)
    const { body } = await server.call(getConversation, { params: { id: conversationId }, query: {} }, bob)
    expect(body.message_details.total).toBe(0)
  })
})

describe('the data of a report', () => {
  it('is deleted with the account that it is about, including its picture', async () => {
    await upload(server, ann, 'profile-image')
    const id = await reported(eve, 'user', ann.id)
    const [row] = await server.db`select picture_storage_key from reports where id = ${id}`
    await server.call(deleteAccount, { body: { password } }, ann)
    expect(await findReport(server, admin, id)).toBeUndefined()
    await server.app.fileJobs.runDue()
    expect(await storage.listFiles()).not.toContain(row?.['picture_storage_key'])
  })

  it('stays after the account of its reporter is deleted, without their name and text', async () => {
    const { body } = await report(server, eve, { subject_id: ann.id, text: 'Eve says' })
    await server.call(deleteAccount, { body: { password } }, eve)
    expect(await findReport(server, admin, body.id)).toMatchObject({ reporter_username: null, text: null })
  })

  it('is deleted thirty days after it was handled, and half a year after it was made otherwise', async () => {
    const handled = await reported(eve, 'user', ann.id)
    await server.call(dismissReport, { params: { id: handled } }, admin)
    const open = await reported(eve, 'user', bob.id)
    const left = async () => (await server.db`select id from reports where id in (${handled}, ${open})`).length
    server.clock.advance(30 * dayMs - 1)
    await server.app.moderationJobs.runDue()
    expect(await left()).toBe(2)
    server.clock.advance(1)
    await server.app.moderationJobs.runDue()
    expect(await left()).toBe(1)
    server.clock.advance(150 * dayMs)
    await server.app.moderationJobs.runDue()
    expect(await left()).toBe(0)
    server.clock.advance(-180 * dayMs)
  })
})

it('a message id of another kind does not open a report', async () => {
  const { messageId } = await say(ann, bob, 'Hello')
  for (const subject of ['ping', 'user', 'pin_image', 'profile_image'] as const) {
    expect((await report(server, bob, { subject, subject_id: messageId as MessageId })).status).toBe(404)
  }
})

it('reports are rate limited by user and by network address', async () => {
  const strict = await startServer({ RATE_LIMITS: 'on' })
  try {
    const mallory = await strict.signUp('mallory')
    const statuses: number[] = []
    for (let count = 0; count < 21; count++) {
      statuses.push((await report(strict, mallory, { subject_id: nobody })).status)
    }
    expect(statuses).toEqual([...Array<number>(20).fill(404), 429])
  } finally {
    await strict.close()
  }
})
