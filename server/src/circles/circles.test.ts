import { type FaultCode, faults } from '@hither/contract/faults.ts'
import { blockUser, unblockUser } from '@hither/contract/friends.ts'
import type { CircleId, UserId } from '@hither/contract/ids.ts'
import { invitePeople } from '@hither/contract/pings.ts'
import { type RefusalCode, refusals } from '@hither/contract/refusals.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../../test/harness.ts'
import { newId } from '../platform/db/ids.ts'
import { type Cast, invitees, startCast, unknownCircleId } from './harness.ts'

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

afterEach(async () => {
  await cast.clear()
  await cast.clearCircles()
})

afterAll(() => cast.server.close())

function refused(code: RefusalCode) {
  const { status, detail } = refusals[code]
  return { status, body: { detail } }
}

const faultAt = (field: string, code: FaultCode) => ({ loc: ['body', field], msg: faults[code], code })
const invalid = (field: string, code: FaultCode) => ({ status: 422, body: { detail: [faultAt(field, code)] } })

describe('circles', () => {
  it('are created, listed by name, edited and deleted by their owner', async () => {
    const created = await cast.createCircle({ name: ' Work ', emoji: '☕', member_ids: [cat.id, bob.id, cat.id] }, ann)
    expect(created).toMatchObject({
      status: 201,
      body: { name: 'Work', emoji: '☕', member_ids: [bob.id, cat.id], created_at: created.body.updated_at },
    })
    const close = await cast.circle('close friends', [dan])
    expect(await cast.circles(ann)).toEqual([close, created.body])
    const { id } = created.body
    const edited = await cast.edit(id, { name: 'Band', emoji: null, member_ids: [dan.id] }, ann)
    expect(edited).toMatchObject({ status: 200, body: { id, name: 'Band', emoji: null, member_ids: [dan.id] } })
    expect(Date.parse(edited.body.updated_at)).toBeGreaterThan(Date.parse(created.body.updated_at))
    expect(edited.body.created_at).toBe(created.body.created_at)
    expect(await cast.circles(ann)).toEqual([edited.body, close])
    expect((await cast.erase(id, ann)).status).toBe(204)
    expect((await cast.erase(id, ann)).status).toBe(204)
    expect(await cast.circles(ann)).toEqual([close])
  })

  it('of another user behave like unknown ones', async () => {
    const { id } = await cast.circle('Work', [bob, cat])
    expect(await cast.circles(bob)).toEqual([])
    const unknown = await cast.edit(unknownCircleId, { name: 'Mine' }, bob)
    expect(unknown).toMatchObject(refused('circle_not_found'))
    const theirs = await cast.edit(id, { name: 'Mine' }, bob)
    expect({ status: theirs.status, body: theirs.body }).toEqual({ status: unknown.status, body: unknown.body })
    for (const circle_ids of [[id], [unknownCircleId]])
      expect(await cast.create(bob, { circle_ids, recipient_ids: [ann.id] })).toMatchObject(refused('circle_not_found'))
    expect((await cast.erase(id, bob)).status).toBe(204)
    expect((await cast.erase(unknownCircleId, bob)).status).toBe(204)
    expect((await cast.circles(ann)).map((circle) => circle.id)).toEqual([id])
  })

  it('need a session', async () => {
    for (const [method, path, body] of [
      ['GET', '/api/circles', undefined],
      ['POST', '/api/circles', { name: 'Work', member_ids: [] }],
      ['PATCH', `/api/circles/${unknownCircleId}`, {}],
      ['DELETE', `/api/circles/${unknownCircleId}`, undefined],
    ] as const)
      expect((await cast.server.request(method, path, { body })).status).toBe(401)
  })

  it('keep the time at which a member was added who stays', async () => {
    const { id } = await cast.circle('Work', [bob, cat])
    const addedAt = async () =>
      (await cast.server.db`select added_at from circle_members where user_id = ${bob.id}`)[0]?.['added_at']
    const before = await addedAt()
    cast.server.clock.advance(5000)
    await cast.edit(id, { member_ids: [bob.id, dan.id] }, ann)
    expect(await addedAt()).toEqual(before)
    expect((await cast.circles(ann))[0]?.member_ids).toEqual([bob.id, dan.id])
  })

  it('have at most 20 per user', async () => {
    for (let n = 0; n < 20; n++) await cast.circle(`Circle ${n}`, [bob])
    const body = { name: 'One more', member_ids: [bob.id] }
    expect(await cast.createCircle(body, ann)).toMatchObject(refused('too_many_circles'))
    const [first] = await cast.circles(ann)
    await cast.erase(first?.id as CircleId, ann)
    expect((await cast.createCircle(body, ann)).status).toBe(201)
  })
})

describe('the name of a circle', () => {
  const create = (name: string) => cast.createCircle({ name, member_ids: [bob.id] }, ann)

  it.each([
    ['empty', ''],
    ['blank', '  '],
    ['of 31 characters', 'a'.repeat(31)],
    ['with a line break', 'Close\nfriends'],
    ['with a line separator', 'Close\u2028friends'],
    ['with half a character', 'Close \ud800'],
    ['with a change of direction', 'Close \u202efriends'],
  ])('is refused if it is %s', async (_name, name) => {
    expect(await create(name)).toMatchObject(invalid('name', 'circle_name_invalid'))
    const { id } = await cast.circle('Work', [bob])
    expect(await cast.edit(id, { name }, ann)).toMatchObject(invalid('name', 'circle_name_invalid'))
    expect(await cast.circles(ann)).toMatchObject([{ name: 'Work' }])
  })

  it('is refused with a NUL character, and however long it is', async () => {
    for (const name of ['Close\u0000friends', 'x'.repeat(2401), 'x'.repeat(20_000)])
      expect(await create(name)).toMatchObject(invalid('name', 'circle_name_invalid'))
    expect(await cast.circles(ann)).toEqual([])
  })

  it('has up to 30 code points in any script', async () => {
    for (const name of ['🎉'.repeat(30), 'Близкие друзья', '家族'])
      expect(await create(name)).toMatchObject({ status: 201, body: { name } })
  })

  it('is used once, without regard to case', async () => {
    await cast.circle('Work', [bob])
    const other = await cast.circle('Band', [bob])
    expect(await create('work')).toMatchObject(refused('circle_exists'))
    expect(await cast.edit(other.id, { name: 'WORK' }, ann)).toMatchObject(refused('circle_exists'))
    expect(await cast.edit(other.id, { name: 'BAND' }, ann)).toMatchObject({ status: 200, body: { name: 'BAND' } })
    expect((await cast.circle('Work', [ann], bob)).name).toBe('Work')
  })
})

describe('the emoji of a circle', () => {
  it.each(['a', '☕☕', '', '1', ' ☕', '\u0000', '👩‍👩‍👧‍👦👩‍👩‍👧‍👦', '☕'.repeat(1000), '☕'.repeat(6000)])(
    'is not %j',
    async (emoji) => {
      const body = { name: 'Work', emoji, member_ids: [bob.id] }
      expect(await cast.createCircle(body, ann)).toMatchObject(invalid('emoji', 'emoji_invalid'))
      expect(await cast.circles(ann)).toEqual([])
    },
  )

  it('names the error', async () => {
    const body = { name: '', emoji: 'a', member_ids: [bob.id] }
    const { body: error } = await cast.createCircle(body, ann)
    expect(error).toMatchObject({
      detail: [faultAt('name', 'circle_name_invalid'), faultAt('emoji', 'emoji_invalid')],
    })
  })

  it.each(['☕', '👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', '🇩🇪', '👍🏽'])('may be %s', async (emoji) => {
    const body = { name: 'Work', emoji, member_ids: [bob.id] }
    expect(await cast.createCircle(body, ann)).toMatchObject({ status: 201, body: { emoji } })
  })
})

describe('the members of a circle', () => {
  const create = (member_ids: UserId[]) => cast.createCircle({ name: 'Work', member_ids }, ann)

  it('are friends of the owner', async () => {
    const refusal = invalid('member_ids', 'members_not_friends')
    expect(await create([bob.id, eve.id])).toMatchObject(refusal)
    expect(await create([ann.id])).toMatchObject(refusal)
    expect(await create([newId<UserId>()])).toMatchObject(refusal)
    const { id } = await cast.circle('Band', [bob])
    expect(await cast.edit(id, { member_ids: [bob.id, eve.id] }, ann)).toMatchObject(refusal)
    await cast.server.call(blockUser, { params: { username: 'dan' } }, ann)
    expect(await create([dan.id])).toMatchObject(refusal)
    await cast.server.call(unblockUser, { params: { username: 'dan' } }, ann)
    await cast.server.befriend(ann, dan)
    expect(await cast.circles(ann)).toMatchObject([{ name: 'Band', member_ids: [bob.id] }])
  })

  it('are 1 to 200 people, and a repeated id counts once', async () => {
    expect(await create([])).toMatchObject(invalid('member_ids', 'no_members'))
    const strangers = Array.from({ length: 201 }, () => newId<UserId>())
    expect(await create(strangers)).toMatchObject(invalid('member_ids', 'too_many_circle_members'))
    expect(await create([...Array(1001).fill(bob.id), ...strangers])).toMatchObject(
      invalid('member_ids', 'too_many_circle_members'),
    )
    const upper = bob.id.toUpperCase() as UserId
    expect(await create([...Array(1001).fill(bob.id), upper])).toMatchObject({
      status: 201,
      body: { member_ids: [bob.id] },
    })
  })

  it('leave with the friendship on both sides, and a new friendship does not restore them', async () => {
    const anns = await cast.circle('Work', [bob, cat])
    const bobs = await cast.circle('Band', [ann], bob)
    await cast.unfriend(bob, ann)
    const [ofAnn] = await cast.circles(ann)
    expect(ofAnn).toMatchObject({ member_ids: [cat.id] })
    expect(Date.parse(ofAnn?.updated_at ?? '')).toBeGreaterThan(Date.parse(anns.updated_at))
    expect(await cast.circles(bob)).toMatchObject([{ id: bobs.id, member_ids: [] }])
    await cast.server.befriend(ann, bob)
    expect(await cast.circles(ann)).toMatchObject([{ member_ids: [cat.id] }])
    expect(await cast.circles(bob)).toMatchObject([{ member_ids: [] }])
  })

  it('leave with a block', async () => {
    await cast.circle('Work', [bob, cat])
    await cast.server.call(blockUser, { params: { username: 'ann' } }, bob)
    expect(await cast.circles(ann)).toMatchObject([{ member_ids: [cat.id] }])
    await cast.server.call(unblockUser, { params: { username: 'ann' } }, bob)
    await cast.server.befriend(ann, bob)
    expect(await cast.circles(ann)).toMatchObject([{ member_ids: [cat.id] }])
  })

  it('may be nobody afterwards: the circle can be renamed, and filled again', async () => {
    const { id } = await cast.circle('Work', [bob])
    await cast.unfriend(ann, bob)
    await cast.server.befriend(ann, bob)
    expect(await cast.edit(id, { name: 'Band' }, ann)).toMatchObject({ status: 200, body: { member_ids: [] } })
    expect(await cast.edit(id, { member_ids: [] }, ann)).toMatchObject(invalid('member_ids', 'no_members'))
    expect(await cast.edit(id, { member_ids: [bob.id] }, ann)).toMatchObject({ body: { member_ids: [bob.id] } })
  })
})

describe('an edit of a circle', () => {
  it('is refused if another device has changed the circle since', async () => {
    const { id, updated_at } = await cast.circle('Work', [bob])
    const { body } = await cast.edit(id, { name: 'Band', expected_updated_at: updated_at }, ann)
    const stale = await cast.edit(id, { name: 'Club', expected_updated_at: updated_at }, ann)
    expect(stale).toMatchObject(refused('circle_edit_conflict'))
    expect(await cast.circles(ann)).toEqual([body])
    expect((await cast.edit(id, { name: 'Club', expected_updated_at: body.updated_at }, ann)).status).toBe(200)
    expect((await cast.edit(id, { name: 'Last' }, ann)).body.name).toBe('Last')
  })

  it('that changes nothing returns the circle as it is', async () => {
    const circle = await cast.circle('Work', [bob, cat])
    const same = { name: ' Work', emoji: null, member_ids: [cat.id, bob.id, cat.id] }
    for (const change of [{}, same])
      expect(await cast.edit(circle.id, change, ann)).toMatchObject({ status: 200, body: circle })
  })
})

describe('a ping for circles', () => {
  it('reaches exactly the members', async () => {
    const { id } = await cast.circle('Work', [bob, cat])
    const { status, body } = await cast.create(ann, { circle_ids: [id], recipient_ids: [] })
    expect([status, invitees(body)]).toEqual([201, ['bob', 'cat']])
    expect(body).toMatchObject({
      invited_all: false,
      audience: { circle_ids: [id], recipient_ids: [], former_friend_count: 0 },
    })
    expect((await cast.list(bob)).body.map((ping) => ping.id)).toEqual([body.id])
    expect((await cast.list(dan)).body).toEqual([])
  })

  it('has each person of overlapping circles and named friends once', async () => {
    const work = await cast.circle('Work', [bob, cat])
    const band = await cast.circle('Band', [cat, dan])
    const circle_ids = [work.id, band.id, work.id.toUpperCase() as CircleId]
    const { body } = await cast.create(ann, { circle_ids, recipient_ids: [cat.id, cat.id] })
    expect(invitees(body)).toEqual(['bob', 'cat', 'dan'])
    expect(body.audience).toEqual({
      circle_ids: [work.id, band.id].toSorted(),
      recipient_ids: [cat.id],
      former_friend_count: 0,
    })
    const { body: listed } = await cast.mine(ann)
    expect(listed).toEqual([body])
    expect((await cast.list(ann)).body).toEqual([body])
    expect((await cast.read(body.id, ann)).body).toEqual(body)
  })

  it('needs recipient_ids, so that no server sends it to all friends', async () => {
    const { id } = await cast.circle('Work', [bob])
    const refusal = invalid('recipient_ids', 'no_recipients')
    expect(await cast.create(ann, { circle_ids: [id] })).toMatchObject(refusal)
    expect(await cast.create(ann, { circle_ids: [], recipient_ids: null, is_public: true })).toMatchObject(refusal)
    expect((await cast.mine(ann)).body).toEqual([])
    const { body } = await cast.create(ann, { circle_ids: null })
    expect([body.invited_all, invitees(body)]).toEqual([true, ['bob', 'cat', 'dan']])
  })

  it('is refused if nobody would receive it, unless it is public', async () => {
    const { id } = await cast.circle('Work', [bob])
    await cast.unfriend(ann, bob)
    const circle_ids = [id]
    const refusal = invalid('recipient_ids', 'no_recipients')
    expect(await cast.create(ann, { circle_ids, recipient_ids: [] })).toMatchObject(refusal)
    const open = await cast.create(ann, { circle_ids, recipient_ids: [], is_public: true })
    expect(open).toMatchObject({ status: 201, body: { recipients: [], audience: { circle_ids } } })
    await cast.server.befriend(ann, bob)
  })

  it('is checked in this order: form, circles, limit, people', async () => {
    const { id } = await cast.circle('Work', [bob])
    const wrong = { circle_ids: [unknownCircleId], recipient_ids: [eve.id] }
    expect(await cast.create(ann, { ...wrong, name: '' })).toMatchObject(invalid('name', 'ping_name_missing'))
    expect(await cast.create(ann, wrong)).toMatchObject(refused('circle_not_found'))
    for (let n = 0; n < 50; n++) await cast.drop(ann)
    expect(await cast.create(ann, wrong)).toMatchObject(refused('circle_not_found'))
    const stranger = { circle_ids: [id], recipient_ids: [eve.id] }
    expect(await cast.create(ann, stranger)).toMatchObject(refused('too_many_pings'))
    await cast.clear()
    expect(await cast.create(ann, stranger)).toMatchObject(invalid('recipient_ids', 'recipients_not_friends'))
    expect((await cast.create(ann, { circle_ids: Array(21).fill(id), recipient_ids: [] })).status).toBe(422)
  })

  it('is answered with the first ping if its client_id is repeated, whatever the circles are', async () => {
    const { id } = await cast.circle('Work', [bob])
    const client_id = newId()
    const first = await cast.create(ann, { circle_ids: [id], recipient_ids: [], client_id })
    await cast.erase(id, ann)
    const again = await cast.create(ann, { circle_ids: [id], recipient_ids: [], client_id })
    expect([again.status, again.body.id, invitees(again.body)]).toEqual([200, first.body.id, ['bob']])
    expect((await cast.create(ann, { circle_ids: [unknownCircleId], client_id })).status).toBe(200)
  })

  it('does not change with its circles', async () => {
    const { id } = await cast.circle('Work', [bob])
    const other = await cast.circle('Band', [cat])
    const ping = (await cast.create(ann, { circle_ids: [id, other.id], recipient_ids: [] })).body
    await cast.edit(id, { member_ids: [dan.id] }, ann)
    await cast.erase(other.id, ann)
    const { body } = await cast.read(ping.id, ann)
    expect(body).toEqual({ ...ping, audience: { ...ping.audience, circle_ids: [id] } })
    expect((await cast.list(cat)).body.map((one) => one.id)).toEqual([ping.id])
    expect((await cast.list(dan)).body).toEqual([])
  })

  it('counts the invitees who are no friends any more', async () => {
    const { id } = await cast.circle('Work', [bob, cat])
    const ping = (await cast.create(ann, { circle_ids: [id], recipient_ids: [dan.id] })).body
    await cast.unfriend(ann, cat)
    await cast.unfriend(ann, dan)
    expect((await cast.read(ping.id, ann)).body).toMatchObject({
      audience: { circle_ids: [id], recipient_ids: [], former_friend_count: 2 },
    })
    await cast.server.befriend(ann, cat)
    await cast.server.befriend(ann, dan)
  })
})

describe('the audience of a ping without circles', () => {
  it('has the named people, and nobody for all friends', async () => {
    const named = (await cast.create(ann, { recipient_ids: [dan.id, bob.id] })).body
    expect(named.audience).toMatchObject({ circle_ids: [], former_friend_count: 0 })
    expect(named.audience.recipient_ids.toSorted()).toEqual([bob.id, dan.id].toSorted())
    const all = (await cast.create(ann)).body
    expect(all).toMatchObject({ invited_all: true, audience: { circle_ids: [], recipient_ids: [] } })
  })

  it('is that of earlier releases for pings of earlier releases', async () => {
    const { id } = (await cast.create(ann, { recipient_ids: [bob.id] })).body
    await cast.server.db`
      insert into ping_recipients (id, ping_id, recipient_id, expires_at)
      select ${newId()}, p.id, ${cat.id}, p.expires_at from location_pins p where p.id = ${id}`
    expect((await cast.read(id, ann)).body).toMatchObject({ audience: { recipient_ids: [bob.id, cat.id] } })
  })
})

describe('an invitation of circles', () => {
  const invite = async (body: { circle_ids?: CircleId[] | null; recipient_ids?: UserId[] | null }) => {
    const ping = await cast.drop(ann, { recipient_ids: [bob.id] })
    return cast.server.call(invitePeople, { params: { id: ping.id }, body }, ann)
  }

  it('reaches the members who are not invited yet', async () => {
    const { id } = await cast.circle('Work', [bob, cat])
    const { status, body } = await invite({ circle_ids: [id], recipient_ids: [dan.id] })
    expect([status, invitees(body)]).toEqual([200, ['bob', 'cat', 'dan']])
    expect(body.audience).toEqual({ circle_ids: [id], recipient_ids: [bob.id, dan.id], former_friend_count: 0 })
    const again = { params: { id: body.id }, body: { circle_ids: [id], recipient_ids: [] } }
    expect((await cast.server.call(invitePeople, again, ann)).body).toEqual(body)
  })

  it('shows the owner circles and names of people who are invited already, without an event', async () => {
    const { id } = await cast.circle('Work', [bob, cat])
    const { body: ping } = await invite({ circle_ids: [id], recipient_ids: [] })
    expect(ping.audience).toEqual({ circle_ids: [id], recipient_ids: [bob.id], former_friend_count: 0 })
    const other = await cast.circle('Band', [cat])
    const listener = await cast.server.listen(cat, ['location_pins'])
    const again = { params: { id: ping.id }, body: { circle_ids: [other.id], recipient_ids: [cat.id] } }
    const { body: same } = await cast.server.call(invitePeople, again, ann)
    const recipient_ids = [bob.id, cat.id].sort()
    expect(same).toEqual({ ...ping, audience: { ...same.audience, circle_ids: [id, other.id].sort() } })
    expect(same.audience.recipient_ids.toSorted()).toEqual(recipient_ids)
    expect((await cast.read(ping.id, ann)).body).toMatchObject({ audience: same.audience })
    // With somebody new, the others are named as well.
    await cast.server.call(invitePeople, { params: { id: ping.id }, body: { recipient_ids: [dan.id] } }, ann)
    const first = await listener.until(({ table }) => table === 'location_pins')
    expect(first).toMatchObject({ eventType: 'UPDATE' })
    expect(listener.received).toHaveLength(1)
    await listener.close()
    const both = await invite({ circle_ids: [id], recipient_ids: [] })
    const named = { params: { id: both.body.id }, body: { recipient_ids: [cat.id, dan.id] } }
    const { body } = await cast.server.call(invitePeople, named, ann)
    expect(body.audience.recipient_ids.toSorted()).toEqual([bob.id, cat.id, dan.id].sort())
  })

  it('has the same rules as a new ping', async () => {
    const { id } = await cast.circle('Work', [cat])
    const theirs = await cast.circle('Band', [ann], bob)
    const noRecipients = invalid('recipient_ids', 'no_recipients')
    expect(await invite({ circle_ids: [id] })).toMatchObject(noRecipients)
    expect(await invite({ circle_ids: [id], recipient_ids: null })).toMatchObject(noRecipients)
    expect(await invite({ circle_ids: [theirs.id], recipient_ids: [cat.id] })).toMatchObject(
      refused('circle_not_found'),
    )
    await cast.unfriend(ann, cat)
    expect(await invite({ circle_ids: [id], recipient_ids: [] })).toMatchObject(noRecipients)
    await cast.server.befriend(ann, cat)
  })
})

describe('what others receive', () => {
  it('has nothing of a circle', async () => {
    const secret = 'Nosy colleagues'
    const { id } = await cast.circle(secret, [bob, cat])
    const input = { circle_ids: [id], recipient_ids: [], is_public: true, guest_policy: 'open' as const }
    const ping = await cast.drop(ann, input)
    const answers = [
      await cast.list(bob),
      await cast.read(ping.id, bob),
      await cast.read(ping.id, eve),
      await cast.read(ping.id),
      await cast.server.request('GET', '/api/users/me/export', { as: bob }),
      await cast.server.request('GET', `/pin/${ping.id}`),
      await cast.createCircle({ name: secret, member_ids: [] }, bob),
    ]
    for (const { body } of answers)
      for (const word of [id, secret, 'circle_ids', 'audience', 'invited_all'])
        expect(JSON.stringify(body)).not.toContain(word)
  })
})
