import type { ConversationId } from '@hither/contract/ids.ts'
import { invitePeople, type Ping, removeInvitee } from '@hither/contract/pings.ts'
import { exportAccount } from '@hither/contract/users.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../test/harness.ts'
import { adminsOnly, type Cast, noConversation, startCast } from './harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let dan: Person
let eve: Person

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, dan, eve } = cast)
})

afterEach(() => cast.clear())
afterAll(() => cast.server.close())

/** Members in the order in which they joined. */
const people = async (id: ConversationId, who: Person) =>
  (await cast.open(id, who)).body.participants.map(({ username, role }) =>
    role === 'admin' ? `${username}*` : username,
  )
const tick = () => cast.server.clock.advance(1)

describe('adding a member', () => {
  it('is allowed for admins with their friends, who see all messages and have no unread ones', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    await cast.say(id, bob, 'before')
    tick()
    expect(await cast.add(id, bob, cat)).toMatchObject(adminsOnly)
    expect(await cast.add(id, eve, eve)).toMatchObject(noConversation)
    const notAddable = { status: 403, body: { detail: 'You can only add your friends', code: 'not_addable' } }
    expect(await cast.add(id, ann, eve)).toMatchObject(notAddable)
    const added = await cast.add(id, ann, dan)
    expect(added.status).toBe(200)
    expect(added.body.participants.map(({ username }) => username)).toContain('dan')
    expect((await cast.open(id, dan)).body).toMatchObject({
      unread_count: 0,
      message_details: { messages: [{ content: 'before', read: true }], total: 1 },
    })
    expect((await people(id, dan)).at(-1)).toBe('dan')
  })

  it('again changes nothing', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    await cast.say(id, ann)
    expect((await cast.add(id, ann, bob)).status).toBe(200)
    expect((await cast.add(id, ann, ann)).status).toBe(200)
    expect((await cast.list(bob))[0]?.unread_count).toBe(1)
    expect((await people(id, ann)).includes('ann*')).toBe(true)
  })
})

describe('removing a member', () => {
  it('is allowed for admins, not for themselves, and ends all access of the removed user', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    const message = await cast.say(id, bob)
    expect(await cast.remove(id, bob, cat)).toMatchObject(adminsOnly)
    expect(await cast.remove(id, eve, cat)).toMatchObject(noConversation)
    const ownRemoval = {
      status: 400,
      body: { detail: 'You cannot remove yourself. Leave the group instead.', code: 'own_removal' },
    }
    expect(await cast.remove(id, ann, ann)).toMatchObject(ownRemoval)
    const notThere = { status: 404, body: { detail: 'Participant not found', code: 'participant_not_found' } }
    expect(await cast.remove(id, ann, eve)).toMatchObject(notThere)
    expect((await cast.remove(id, ann, bob)).status).toBe(200)
    expect(await cast.remove(id, ann, bob)).toMatchObject(notThere)
    expect(await cast.list(bob)).toEqual([])
    for (const call of [cast.open(id, bob), cast.send(id, bob), cast.markRead(id, bob), cast.leave(id, bob)])
      expect(await call).toMatchObject(noConversation)
    expect((await cast.erase(message.id, bob)).status).toBe(404)
    expect((await cast.open(id, cat)).body.message_details.messages).toMatchObject([{ sender_username: 'bob' }])
    await cast.add(id, ann, bob)
    expect((await cast.erase(message.id, bob)).status).toBe(204)
  })
})

describe('leaving a group', () => {
  it('makes the member who joined first the admin if the last admin leaves', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    await cast.remove(id, ann, cat)
    tick()
    await cast.add(id, ann, dan)
    tick()
    await cast.add(id, ann, cat)
    expect(await cast.leave(id, ann)).toMatchObject({ status: 204, body: null })
    expect(await people(id, bob)).toEqual(['bob*', 'dan', 'cat'])
    await cast.leave(id, bob)
    expect(await people(id, cat)).toEqual(['dan*', 'cat'])
    expect(await cast.leave(id, bob)).toMatchObject(noConversation)
    expect((await cast.rename(id, dan, 'Ours')).status).toBe(200)
    await cast.leave(id, cat)
    expect(await people(id, dan)).toEqual(['dan*'])
  })

  it('changes no role if a member or one of two admins leaves', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    await cast.server.db`update chat_members set role = 'admin' where user_id = ${cat.id}`
    await cast.leave(id, ann)
    expect((await people(id, bob)).sort()).toEqual(['bob', 'cat*'])
    await cast.leave(id, bob)
    expect(await people(id, cat)).toEqual(['cat*'])
  })

  it('deletes the group when the last member leaves', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    await cast.say(id, ann)
    for (const who of [ann, bob, cat]) expect((await cast.leave(id, who)).status).toBe(204)
    expect(await cast.server.db`select id from chats union all select id from messages`).toHaveLength(0)
  })
})

describe('a member who left', () => {
  it('is added again by nobody, and comes back by joining', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    const other = await cast.group(ann, [bob, cat])
    await cast.leave(id, bob)
    expect(await cast.add(id, ann, bob)).toMatchObject({ status: 409, body: { code: 'participant_left' } })
    expect(await people(id, ann)).not.toContain('bob')
    expect(await cast.open(id, bob)).toMatchObject({ status: 404, body: { code: 'conversation_left' } })
    for (const call of [cast.open(id, dan), cast.join(id, dan), cast.send(id, bob)])
      expect(await call).toMatchObject(noConversation)
    expect((await cast.join(id, bob)).status).toBe(200)
    expect(await people(id, bob)).toContain('bob')
    await cast.remove(id, ann, bob)
    expect(await cast.join(id, bob)).toMatchObject(noConversation)
    expect((await cast.add(id, ann, bob)).status).toBe(200)
    await cast.leave(other.id, bob)
    await cast.end(other.id, ann)
    expect(await cast.join(other.id, bob)).toMatchObject(noConversation)
  })
})

describe('the chat of a ping', () => {
  let ping: Ping
  beforeEach(async () => {
    ping = await cast.drop(ann, [bob, cat, dan], { is_public: true })
  })
  const fields = () => ({ name: 'Coffee Chat', ping_id: ping.id, system_created: true })

  it('is created by the owner once, and linked with the ping for its members', async () => {
    const first = await cast.create(ann, [bob, cat], fields())
    expect(first).toMatchObject({
      status: 201,
      body: { name: 'Coffee Chat', type: 'group', ping_id: ping.id, system_created: true },
    })
    const again = await cast.create(ann, [bob, cat], { ...fields(), name: 'Another' })
    expect([again.status, again.body]).toEqual([200, first.body])
    for (const who of [ann, bob, dan]) {
      expect((await cast.readPing(ping, who)).body).toMatchObject({ conversation_id: first.body.id })
    }
    expect((await cast.readPing(ping, eve)).body).toMatchObject({ id: ping.id, conversation_id: null })
  })

  it('cannot be created by others, and does not reveal the ping to users who may not see it', async () => {
    const notOwned = {
      status: 403,
      body: { detail: 'Only the owner can start the chat of this ping', code: 'ping_chat_not_owned' },
    }
    expect(await cast.create(bob, [ann, cat], fields())).toMatchObject(notOwned)
    ping = await cast.drop(ann, [bob])
    const unknown = { status: 404, body: { detail: 'Pin not found or has expired', code: 'ping_not_found' } }
    expect(await cast.create(cat, [ann, bob], fields())).toMatchObject(unknown)
  })

  it('contains invitees who are still friends', async () => {
    ping = await cast.drop(ann, [bob, cat])
    const at = { loc: ['body', 'participant_ids'], msg: 'You can only add people who are invited to this ping.' }
    const refused = { status: 422, body: { detail: [at] } }
    expect(await cast.create(ann, [bob, dan], fields())).toMatchObject(refused)
    await cast.unfriend(ann, cat)
    expect(await cast.create(ann, [bob, cat], fields())).toMatchObject(refused)
    await cast.server.befriend(ann, cat)
    expect((await cast.create(ann, [bob], fields())).status).toBe(422)
    expect((await cast.create(ann, [bob, cat], fields())).status).toBe(201)
  })

  it('leaves out users without automatic joining, who can join later', async () => {
    await cast.autoJoin(bob, false)
    const { id } = await cast.make(ann, [bob, cat], fields())
    await cast.autoJoin(bob, true)
    await cast.say(id, ann, 'before')
    expect((await people(id, ann)).sort()).toEqual(['ann*', 'cat'])
    expect(await cast.open(id, bob)).toMatchObject(noConversation)
    for (const who of [bob, dan]) {
      expect(await cast.join(id, who)).toMatchObject({ status: 200, body: { id, unread_count: 0 } })
      expect((await cast.join(id, who)).status).toBe(200)
    }
    expect((await people(id, bob)).sort()).toEqual(['ann*', 'bob', 'cat', 'dan'])
    expect((await cast.open(id, dan)).body.message_details.messages).toHaveLength(1)
  })

  it('contains all invitees if a user created it and not the system', async () => {
    await cast.autoJoin(bob, false)
    const { id } = await cast.make(ann, [bob, cat], { ...fields(), system_created: false })
    await cast.autoJoin(bob, true)
    expect(await people(id, bob)).toHaveLength(3)
  })

  it('can be joined by invitees only, as long as they see the ping', async () => {
    const { id } = await cast.make(ann, [bob, cat], fields())
    expect(await cast.join(id, eve)).toMatchObject(noConversation)
    await cast.unfriend(ann, dan)
    expect(await cast.join(id, dan)).toMatchObject(noConversation)
    await cast.server.befriend(ann, dan)
    await cast.removePing(ping, ann)
    expect(await cast.join(id, dan)).toMatchObject(noConversation)
    const other = await cast.group(ann, [bob, cat])
    expect(await cast.join(other.id, dan)).toMatchObject(noConversation)
  })

  it('can be joined again after leaving, and after a removal only through an admin', async () => {
    const { id } = await cast.make(ann, [bob, cat], fields())
    await cast.leave(id, bob)
    // A member who joins again counts as the newest.
    cast.server.clock.advance(1)
    expect((await cast.join(id, bob)).status).toBe(200)
    await cast.leave(id, ann)
    expect(await people(id, bob)).toContain('cat*')
    expect(await cast.create(ann, [bob, cat], fields())).toMatchObject(noConversation)
    expect((await cast.join(id, ann)).status).toBe(200)
    await cast.remove(id, cat, bob)
    expect(await cast.join(id, bob)).toMatchObject(noConversation)
    await cast.add(id, cat, bob)
    await cast.leave(id, bob)
    expect((await cast.join(id, bob)).status).toBe(200)
  })

  it('contains nobody who left it or an earlier one, no matter who creates it or invites them', async () => {
    const { id } = await cast.make(ann, [bob, cat, dan], fields())
    await cast.leave(id, bob)
    expect(await cast.add(id, ann, bob)).toMatchObject({ status: 409, body: { code: 'participant_left' } })
    await cast.end(id, ann)
    for (const system_created of [true, false]) {
      const again = await cast.make(ann, [bob, cat, dan], { ...fields(), system_created })
      expect((await people(again.id, ann)).sort()).toEqual(['ann*', 'cat', 'dan'])
      expect(await cast.add(again.id, ann, bob)).toMatchObject({ status: 409, body: { code: 'participant_left' } })
      const invitation = { params: { id: ping.id, userId: bob.id } }
      await cast.server.call(removeInvitee, invitation, ann)
      expect(await cast.join(again.id, bob)).toMatchObject(noConversation)
      await cast.server.call(invitePeople, { params: { id: ping.id }, body: { recipient_ids: [bob.id] } }, ann)
      expect(await people(again.id, ann)).not.toContain('bob')
      if (system_created) await cast.end(again.id, ann)
      else {
        expect((await cast.join(again.id, bob)).status).toBe(200)
        expect(await people(again.id, ann)).toContain('bob')
      }
    }
  })

  it('survives the ping, and the ping survives its chat', async () => {
    const { id } = await cast.make(ann, [bob, cat], fields())
    await cast.end(id, ann)
    expect((await cast.readPing(ping, bob)).body).toMatchObject({ conversation_id: null })
    const next = await cast.make(ann, [bob, cat], fields())
    await cast.say(next.id, bob)
    await cast.removePing(ping, ann)
    expect((await cast.open(next.id, bob)).body).toMatchObject({ ping_id: null, message_details: { total: 1 } })
  })
})

describe('a deleted account', () => {
  let number = 0
  const signUp = async () => {
    const gus = await cast.server.signUp(`gus${++number}`)
    await cast.server.befriend(ann, gus)
    await cast.server.befriend(bob, gus)
    return gus
  }

  it('leaves its messages as from a deleted user, and its admin role to the next admin', async () => {
    const gus = await signUp()
    const { id } = await cast.group(gus, [ann, bob])
    const direct = await cast.make(gus, [ann])
    for (const chat of [id, direct.id]) await cast.say(chat, gus, 'mine')
    expect((await cast.eraseAccount(gus)).status).toBe(204)
    const mine = { sender_id: null, sender_username: 'Deleted user', content: 'mine', read: false }
    const group = (await cast.open(id, bob)).body
    expect(group).toMatchObject({ unread_count: 1, last_message: mine, message_details: { messages: [mine] } })
    expect(group.participants.filter(({ role }) => role === 'admin')).toHaveLength(1)
    const left = (await cast.open(direct.id, ann)).body
    expect(left).toMatchObject({ direct_participant: null, type: 'direct', message_details: { messages: [mine] } })
    expect(left.participants.map(({ user_id }) => user_id)).toEqual([ann.id])
    expect((await cast.send(direct.id, ann)).status).toBe(403)
    await cast.markRead(direct.id, ann)
    expect((await cast.list(ann)).find((one) => one.id === direct.id)?.unread_count).toBe(0)
    const again = await cast.server.signUp(`gus${number}`)
    await cast.server.befriend(ann, again)
    expect((await cast.make(ann, [again])).id).not.toBe(direct.id)
  })

  it('deletes conversations that nobody else can read, and those hidden by a block', async () => {
    const gus = await signUp()
    const [alone, direct, hidden] = [
      await cast.group(gus, [ann, bob]),
      await cast.make(gus, [ann]),
      await cast.make(gus, [bob]),
    ]
    for (const { id } of [alone, direct, hidden]) await cast.say(id, gus)
    for (const who of [ann, bob]) await cast.leave(alone.id, who)
    await cast.block(bob, gus)
    await cast.eraseAccount(gus)
    expect(await cast.list(bob)).toEqual([])
    expect((await cast.list(ann)).map(({ id }) => id)).toEqual([direct.id])
    expect(await cast.server.db`select id from chats`).toEqual([{ id: direct.id }])
  })

  it('deletes a direct conversation when the second member is deleted too', async () => {
    const [gus, hal] = [await signUp(), await signUp()]
    await cast.server.befriend(gus, hal)
    await cast.say((await cast.make(gus, [hal])).id, hal)
    for (const who of [gus, hal]) expect((await cast.eraseAccount(who)).status).toBe(204)
    expect(await cast.server.db`select id from chats union all select id from messages`).toHaveLength(0)
  })

  it('exported its conversations and own messages, and nothing by others', async () => {
    const { id } = await cast.group(ann, [bob, cat])
    const direct = await cast.make(bob, [ann])
    await cast.say(id, bob, 'mine')
    await cast.say(id, ann, 'not mine')
    await cast.erase((await cast.say(id, bob, 'gone')).id, bob)
    const read = async () => (await cast.server.call(exportAccount, {}, bob)).body
    const exported = await read()
    const message = { conversation_id: id, seq: 1, content: 'mine', created_at: expect.any(String) }
    expect(exported.messages).toEqual([{ ...message, edited_at: null, caption: null, place: null, has_photo: false }])
    expect(exported.conversations.map((one) => [one.id, one.type, one.name, one.username, one.role]).sort()).toEqual(
      [
        [id, 'group', 'Walks', null, 'member'],
        [direct.id, 'direct', null, 'ann', 'member'],
      ].sort(),
    )
    await cast.remove(id, ann, bob)
    const left = await cast.group(ann, [bob, cat])
    await cast.leave(left.id, bob)
    await cast.block(bob, ann)
    const then = await read()
    expect(then.conversations).toMatchObject([{ id: direct.id, username: null }])
    expect(then.conversations_removed_from).toMatchObject([{ conversation_id: id }])
    expect(then.conversations_left).toMatchObject([{ conversation_id: left.id }])
    expect(then.messages).toHaveLength(1)
    await cast.unblock(bob, ann)
    await cast.server.befriend(ann, bob)
  })
})
