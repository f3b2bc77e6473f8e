import type { ConversationId } from '@hither/contract/ids.ts'
import { createConversation, getConversation, listConversations } from '@hither/contract/messages/messages.ts'
import type { OwnPing, Ping } from '@hither/contract/pings.ts'
import { type RefusalCode, refusals } from '@hither/contract/refusals.ts'
import { pingTexts } from '@hither/contract/runtime/pings.ts'
import { updateUser } from '@hither/contract/users.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../../test/harness.ts'
import { type Cast, pinNotFound, startCast, unknownPingId } from '../harness.ts'

let cast: Cast

beforeAll(async () => {
  cast = await startCast()
})

afterEach(() => cast.clear())

afterAll(() => cast.server.close())

function refused(code: RefusalCode) {
  const { status, detail } = refusals[code]
  return { status, body: { detail } }
}

const forBob = (fields: Parameters<Cast['drop']>[1] = {}) =>
  cast.drop(cast.ann, { recipient_ids: [cast.bob.id], ...fields })
const invitees = ({ recipients }: Pick<OwnPing, 'recipients'>) =>
  recipients.map(({ recipient_username }) => recipient_username)
const chatOf = async (ping: Ping, who: Person) => {
  const body = { name: 'Coffee', participant_ids: [cast.bob.id, cast.cat.id], ping_id: ping.id, system_created: true }
  return (await cast.server.call(createConversation, { body }, who)).body
}
const readChat = (id: ConversationId, who: Person) =>
  cast.server.call(getConversation, { params: { id }, query: {} }, who)

describe('an invitation', () => {
  it('gives a friend the ping, and is skipped for those who have it', async () => {
    const { id, updated_at } = await forBob()
    const { status, body } = await cast.invite(id, [cast.cat, cast.bob, cast.cat], cast.ann)
    expect([status, invitees(body)]).toEqual([200, ['bob', 'cat']])
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(updated_at))
    expect((await cast.list(cast.cat)).body.map((ping) => ping.id)).toEqual([id])
    expect((await cast.respond(id, 'accepted', cast.cat)).status).toBe(200)
    const before = (await cast.read(id, cast.ann)).body
    expect((await cast.invite(id, [cast.cat], cast.ann)).body).toEqual(before)
  })

  it('accepts ids in upper case', async () => {
    const { id } = await forBob()
    const upper = { id: cast.cat.id.toUpperCase() as typeof cast.cat.id }
    expect(invitees((await cast.invite(id, [upper], cast.ann)).body)).toEqual(['bob', 'cat'])
  })

  it('of anybody who is no friend changes nothing', async () => {
    const { id } = await forBob()
    const before = (await cast.read(id, cast.ann)).body
    const error = (msg: string) => ({ status: 422, body: { detail: [{ loc: ['body', 'recipient_ids'], msg }] } })
    const noFriend = error(pingTexts.recipientsNotFriends)
    expect(await cast.invite(id, [cast.cat, cast.eve], cast.ann)).toMatchObject(noFriend)
    expect(await cast.invite(id, [cast.ann], cast.ann)).toMatchObject(noFriend)
    expect(await cast.invite(id, [{ id: unknownPingId as never }], cast.ann)).toMatchObject(noFriend)
    expect(await cast.invite(id, [], cast.ann)).toMatchObject(error(pingTexts.noRecipients))
    expect((await cast.invite(id, Array(5001).fill(cast.cat), cast.ann)).status).toBe(422)
    expect((await cast.read(id, cast.ann)).body).toEqual(before)
  })

  it('is for the owner, before the end', async () => {
    const { id } = await forBob({ is_public: true })
    expect(await cast.invite(id, [cast.ann], cast.bob)).toMatchObject(refused('ping_not_changeable'))
    expect(await cast.invite(id, [cast.ann], cast.eve)).toMatchObject(pinNotFound)
    await cast.change(id, { end: true }, cast.ann)
    expect(await cast.invite(id, [cast.cat], cast.ann)).toMatchObject(refused('ping_ended'))
  })

  it('makes the response of a friend with the link that of an invitee', async () => {
    const { id } = await forBob({ is_public: true, guest_policy: 'open' })
    await cast.respond(id, 'tentative', cast.cat)
    const listener = await cast.server.listen(cast.bob, ['ping_guests', 'ping_responses', 'location_pins'])
    const { body } = await cast.invite(id, [cast.cat], cast.ann)
    expect(body).toMatchObject({ guests: [], responses: [{ username: 'cat', response_type: 'tentative' }] })
    await listener.until(({ table }) => table === 'location_pins')
    expect(listener.received.map(({ table, eventType }) => `${table} ${eventType}`)).toEqual([
      'ping_guests DELETE',
      'ping_responses INSERT',
      'location_pins UPDATE',
    ])
    await listener.close()
  })

  it('adds people to the chat of the ping, unless they do not join chats by themselves', async () => {
    const ping = await cast.drop(cast.ann)
    const { id } = await chatOf(ping, cast.ann)
    await cast.server.call(updateUser, { params: { id: cast.cat.id }, body: { auto_join_chats: false } }, cast.cat)
    await cast.uninvite(ping.id, cast.cat, cast.ann)
    await cast.invite(ping.id, [cast.cat], cast.ann)
    expect((await cast.server.call(listConversations, {}, cast.cat)).body).toEqual([])
    await cast.uninvite(ping.id, cast.cat, cast.ann)
    await cast.server.call(updateUser, { params: { id: cast.cat.id }, body: { auto_join_chats: true } }, cast.cat)
    const listener = await cast.server.listen(cast.cat, ['chats'])
    await cast.invite(ping.id, [cast.cat], cast.ann)
    expect((await listener.until(({ table }) => table === 'chats')).eventType).toBe('INSERT')
    expect((await readChat(id, cast.cat)).status).toBe(200)
    await listener.close()
  })
})

describe('a removed invitee', () => {
  it('reads 404 and has no response, and can be invited again', async () => {
    const { id } = await forBob()
    await cast.respond(id, 'accepted', cast.bob)
    expect((await cast.uninvite(id, cast.bob, cast.ann)).status).toBe(204)
    expect(await cast.read(id, cast.bob)).toMatchObject(pinNotFound)
    expect((await cast.list(cast.bob)).body).toEqual([])
    expect(await cast.respond(id, 'accepted', cast.bob)).toMatchObject(pinNotFound)
    expect(await cast.answers(id, cast.bob)).toMatchObject(pinNotFound)
    expect((await cast.read(id, cast.ann)).body).toMatchObject({ recipients: [], responses: [] })
    expect((await cast.uninvite(id, cast.bob, cast.ann)).status).toBe(204)
    const again = await cast.invite(id, [cast.bob], cast.ann)
    expect(again.body).toMatchObject({ responses: [], recipients: [{ has_seen: false }] })
    expect((await cast.respond(id, 'tentative', cast.bob)).status).toBe(200)
  })

  it('may open the link of a public ping, but not respond with it', async () => {
    const { id } = await forBob({ is_public: true, guest_policy: 'open' })
    await cast.respond(id, 'accepted', cast.bob)
    await cast.uninvite(id, cast.bob, cast.ann)
    expect((await cast.read(id, cast.bob)).body).toMatchObject({ access: 'link', can_respond: false, guest: null })
    expect(await cast.respond(id, 'accepted', cast.bob)).toMatchObject(refused('guests_not_allowed'))
    expect((await cast.takeBack(id, cast.bob)).status).toBe(204)
    expect(await cast.respond(id, 'accepted', cast.bob)).toMatchObject(refused('guests_not_allowed'))
    await cast.invite(id, [cast.bob], cast.ann)
    expect((await cast.respond(id, 'accepted', cast.bob)).status).toBe(200)
  })

  it('gets the refusal of a stranger on a public ping without guests', async () => {
    const { id } = await forBob({ is_public: true })
    await cast.uninvite(id, cast.bob, cast.ann)
    const [removed, stranger] = [
      await cast.respond(id, 'accepted', cast.bob),
      await cast.respond(id, 'accepted', cast.eve),
    ]
    expect(stranger).toMatchObject(refused('not_invited'))
    expect([removed.status, removed.body]).toEqual([stranger.status, stranger.body])
  })

  it('leaves no trace of the response', async () => {
    const { id } = await forBob()
    await cast.respond(id, 'accepted', cast.bob)
    await cast.uninvite(id, cast.bob, cast.ann)
    const rows = await cast.server.db`select state, response_type from ping_guests where ping_id = ${id}`
    expect(rows).toEqual([{ state: 'removed', response_type: 'declined' }])
  })

  it('is no member of the chat of the ping any more', async () => {
    const ping = await cast.drop(cast.ann)
    const { id } = await chatOf(ping, cast.ann)
    expect((await readChat(id, cast.bob)).body.id).toBe(id)
    await cast.uninvite(ping.id, cast.bob, cast.ann)
    expect((await readChat(id, cast.bob)).status).toBe(404)
    expect(JSON.stringify((await readChat(id, cast.ann)).body)).not.toContain(cast.bob.id)
  })

  it('does not appear in the data export of the removed person', async () => {
    const { id } = await forBob()
    await cast.uninvite(id, cast.bob, cast.ann)
    const { body } = await cast.server.request('GET', '/api/users/me/export', { as: cast.bob })
    expect(JSON.stringify(body)).not.toContain(id)
  })

  it('is removed by the owner only, before the end', async () => {
    const { id } = await cast.drop(cast.ann, { is_public: true })
    expect(await cast.uninvite(id, cast.cat, cast.bob)).toMatchObject(refused('ping_not_changeable'))
    expect(await cast.uninvite(id, cast.cat, cast.eve)).toMatchObject(pinNotFound)
    await cast.change(id, { end: true }, cast.ann)
    expect(await cast.uninvite(id, cast.cat, cast.ann)).toMatchObject(refused('ping_ended'))
  })
})
