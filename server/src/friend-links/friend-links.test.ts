import { randomBytes } from 'node:crypto'
import {
  acceptFriendLink,
  createFriendLink,
  listFriendLinks,
  lookUpFriendLink,
  revokeFriendLink,
} from '@hither/contract/friend-links.ts'
import {
  blockUser,
  listFriends,
  listReceivedRequests,
  removeFriend,
  respondToFriendRequest,
  sendFriendRequest,
  unblockUser,
} from '@hither/contract/friends.ts'
import type { FriendLinkId, FriendRequestId } from '@hither/contract/ids.ts'
import { suspendUser } from '@hither/contract/moderation.ts'
import { deleteAccount, exportAccount } from '@hither/contract/users.ts'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { makeAdmin } from '../moderation/harness.ts'
import { accept, invalid, makeLink } from './harness.ts'

const minuteMs = 60_000
const dayMs = 1440 * minuteMs

let server: TestServer
let number = 0
let ann: Person
let bob: Person
let cat: Person

beforeAll(async () => {
  server = await startServer({ PUBLIC_URL: 'https://hither.example.org' })
  return () => server.close()
})

beforeEach(async () => {
  number++
  ann = await server.signUp(`ann${number}`)
  bob = await server.signUp(`bob${number}`)
  cat = await server.signUp(`cat${number}`)
})

const links = async (of: Person) => (await server.call(listFriendLinks, {}, of)).body
const friends = async (of: Person) => (await server.call(listFriends, {}, of)).body.map(({ user_id }) => user_id)
const received = async (of: Person) => (await server.call(listReceivedRequests, {}, of)).body
const lookUp = (code: string, as?: Person) => server.call(lookUpFriendLink, { body: { code } }, as)

async function unfriend(by: Person, other: Person) {
  const { body } = await server.call(listFriends, {}, by)
  const id = body.find(({ user_id }) => user_id === other.id)?.id
  if (id) await server.call(removeFriend, { params: { id } }, by)
}

describe('a friend link', () => {
  it('is returned with its URL once, for one use and a week by default', async () => {
    const { url, code, ...link } = await makeLink(server, ann, { note: '  For bob ' })
    expect(url).toMatch(/^https:\/\/hither\.example\.org\/add#[A-Za-z0-9_-]{22}$/)
    expect(link).toEqual({
      id: expect.any(String),
      kind: 'link',
      note: 'For bob',
      requires_approval: false,
      admits_signup: true,
      uses_max: 1,
      uses_left: 1,
      created_at: server.clock.now().toISOString(),
      expires_at: new Date(server.clock.now().getTime() + 7 * dayMs).toISOString(),
      used_by: [],
    })
    expect(await links(ann)).toEqual([link])
    expect(await links(bob)).toEqual([])
    const rows = await server.db`select l::text from friend_links l where id = ${link.id}`
    expect(JSON.stringify(rows)).not.toContain(code)
  })

  it('makes the user of a link with one use a friend, announces it, and is then used up', async () => {
    const { code, id } = await makeLink(server, ann)
    const [anns, bobs] = [await server.listen(ann, ['friendships']), await server.listen(bob, ['friendships'])]
    const answer = { status: 'accepted', user_id: ann.id, username: ann.username }
    expect(await accept(server, code, bob)).toMatchObject({ status: 200, body: answer })
    for (const listener of [anns, bobs]) {
      const { new: row } = await listener.until(({ table }) => table === 'friendships')
      expect(row).toMatchObject({ requester_id: bob.id, requested_id: ann.id })
      expect(listener.received).toHaveLength(1)
    }
    expect([await friends(ann), await friends(bob)]).toEqual([[bob.id], [ann.id]])
    expect(await accept(server, code, cat)).toMatchObject(invalid)
    expect(await links(ann)).toMatchObject([
      { id, uses_left: 0, used_by: [{ user_id: bob.id, username: bob.username }] },
    ])
  })

  it('answers a repeated call alike and counts it once, until the friendship ends', async () => {
    const { code } = await makeLink(server, ann)
    await accept(server, code, bob)
    expect(await accept(server, code, bob)).toMatchObject({ status: 200, body: { status: 'accepted' } })
    expect(await links(ann)).toMatchObject([{ uses_left: 0 }])
    await unfriend(ann, bob)
    expect(await accept(server, code, bob)).toMatchObject(invalid)
    expect(await lookUp(code, bob)).toMatchObject(invalid)
    expect(await friends(ann)).toEqual([])
    // Nobody becomes a friend again by a request of their own.
    await server.call(sendFriendRequest, { body: { username: ann.username } }, bob)
    expect(await accept(server, code, bob)).toMatchObject(invalid)
    expect(await friends(ann)).toEqual([])
  })

  it('with several uses sends a friend request, which the creator may decline', async () => {
    const { code } = await makeLink(server, ann, { uses: 5 })
    for (let time = 0; time < 2; time++)
      expect(await accept(server, code, bob)).toMatchObject({ status: 200, body: { status: 'pending' } })
    const [request] = await received(ann)
    expect(request).toMatchObject({ requester_id: bob.id })
    const params = { id: request?.id as FriendRequestId }
    await server.call(respondToFriendRequest, { params, body: { action: 'declined' } }, ann)
    expect(await accept(server, code, bob)).toMatchObject(invalid)
    expect(await links(ann)).toMatchObject([{ uses_max: 5, uses_left: 4 }])
  })

  it('counts one use of a user who uses it again because the creator has sent a request since', async () => {
    const { code } = await makeLink(server, ann, { uses: 5 })
    await accept(server, code, bob)
    const params = { id: (await received(ann))[0]?.id as FriendRequestId }
    await server.call(respondToFriendRequest, { params, body: { action: 'declined' } }, ann)
    await server.call(sendFriendRequest, { body: { username: bob.username } }, ann)
    expect(await accept(server, code, bob)).toMatchObject({ status: 200, body: { status: 'accepted' } })
    expect(await friends(ann)).toEqual([bob.id])
    expect(await links(ann)).toMatchObject([{ uses_left: 4, used_by: [{ user_id: bob.id }] }])
  })

  it('accepts the request that the creator has sent to the user of the link', async () => {
    await server.call(sendFriendRequest, { body: { username: bob.username } }, ann)
    const { code } = await makeLink(server, ann, { uses: 5 })
    const anns = await server.listen(ann, ['friend_requests', 'friendships'])
    expect(await accept(server, code, bob)).toMatchObject({ body: { status: 'accepted' } })
    await anns.until(({ table }) => table === 'friendships')
    expect(anns.received.map(({ table, eventType }) => [table, eventType])).toEqual([
      ['friend_requests', 'UPDATE'],
      ['friendships', 'INSERT'],
    ])
    expect(anns.received[1]?.new).toMatchObject({ requester_id: bob.id })
    expect([await received(bob), await friends(ann)]).toEqual([[], [bob.id]])
  })

  it("accepts the user's own waiting request if no approval is required", async () => {
    await server.call(sendFriendRequest, { body: { username: ann.username } }, bob)
    const { code } = await makeLink(server, ann)
    expect(await accept(server, code, bob)).toMatchObject({ body: { status: 'accepted' } })
    expect([await received(ann), await friends(ann)]).toEqual([[], [bob.id]])
  })

  it('takes no use for people who are friends already, and none from its creator', async () => {
    await server.befriend(ann, bob)
    const { code } = await makeLink(server, ann)
    expect(await accept(server, code, bob)).toMatchObject({ status: 200, body: { status: 'accepted' } })
    const own = {
      status: 400,
      body: { detail: 'This is your own link. Send it to a friend.', code: 'own_friend_link' },
    }
    expect(await accept(server, code, ann)).toMatchObject(own)
    expect(await links(ann)).toMatchObject([{ uses_left: 1, used_by: [] }])
  })

  it('shows visitors the name only, and signed-in users also how they know the creator', async () => {
    const { code, expires_at } = await makeLink(server, ann, { uses: 5 })
    const preview = { username: ann.username, requires_approval: true, admits_signup: true, expires_at }
    expect((await lookUp(code)).body).toEqual(preview)
    const known = { ...preview, user_id: ann.id, has_image: false }
    expect((await lookUp(code, bob)).body).toEqual({ ...known, relation: 'none' })
    expect((await lookUp(code, ann)).body).toEqual({ ...known, relation: 'own' })
    await accept(server, code, bob)
    expect((await lookUp(code, bob)).body).toMatchObject({ relation: 'request_sent' })
    await server.call(sendFriendRequest, { body: { username: cat.username } }, ann)
    expect((await lookUp(code, cat)).body).toMatchObject({ relation: 'request_received' })
    await accept(server, code, cat)
    expect((await lookUp(code, cat)).body).toMatchObject({ relation: 'friends' })
    expect(await links(ann)).toMatchObject([{ uses_left: 3 }])
  })

  it('ignores a suffix of its code', async () => {
    const { code } = await makeLink(server, ann)
    expect((await lookUp(`${code}.AAAA`)).status).toBe(200)
    expect((await lookUp(`${code}.${'A'.repeat(128)}`)).status).toBe(200)
    for (const wrong of [`${code}.${'A'.repeat(129)}`, `${code}AAAA`, `${code}.a/b`, `.${code}`])
      expect((await lookUp(wrong)).status).toBe(404)
    expect(await accept(server, `${code}.AAAA`, bob)).toMatchObject({ status: 200 })
  })

  it('is refused alike for every reason, to visitors and to users', async () => {
    const admin = await makeAdmin(server, await server.signUp(`root${number}`))
    const makers = await Promise.all(['b', 'c', 'd', 'e', 'f'].map((name) => server.signUp(`${name}${number}`)))
    const [suspended, deleted, blocking, blocked, busy] = makers as [Person, Person, Person, Person, Person]
    const codes = {
      malformed: 'not a code',
      unknown: randomBytes(16).toString('base64url'),
      usedUp: (await makeLink(server, busy)).code,
      revoked: (await makeLink(server, busy)).code,
      suspended: (await makeLink(server, suspended)).code,
      deleted: (await makeLink(server, deleted)).code,
      blocking: (await makeLink(server, blocking)).code,
      blocked: (await makeLink(server, blocked)).code,
      expired: (await makeLink(server, busy, { kind: 'qr' })).code,
    }
    await accept(server, codes.usedUp, cat)
    const [, revoked] = [...(await links(busy))].reverse()
    await server.call(revokeFriendLink, { params: { id: revoked?.id as FriendLinkId } }, busy)
    const suspension = { params: { id: suspended.id }, body: { reason: 'spam', days: 7 } }
    expect((await server.call(suspendUser, suspension, admin)).status).toBeLessThan(300)
    expect((await server.call(deleteAccount, { body: { password } }, deleted)).status).toBe(204)
    await server.call(blockUser, { params: { username: bob.username } }, blocking)
    await server.call(blockUser, { params: { username: blocked.username } }, bob)
    server.clock.advance(11 * minuteMs)

    for (const [operation, as] of [
      [lookUpFriendLink, undefined],
      [lookUpFriendLink, bob],
      [acceptFriendLink, bob],
    ] as const) {
      const hides = as === undefined ? ['blocking', 'blocked'] : []
      const answers = await Promise.all(
        Object.entries(codes)
          .filter(([reason]) => !hides.includes(reason))
          .map(async ([, code]) => {
            const { status, body, headers } = await server.call(operation, { body: { code } }, as)
            return JSON.stringify({ status, body, headers: [...headers.keys()].sort() })
          }),
      )
      expect(new Set(answers).size).toBe(1)
      expect(JSON.parse(answers[0] ?? '')).toMatchObject(invalid)
    }
    await server.call(unblockUser, { params: { username: blocked.username } }, bob)
    expect((await lookUp(codes.blocked, bob)).status).toBe(200)
  })

  it('stops working when it is revoked, and belongs to nobody else', async () => {
    const { code, id } = await makeLink(server, ann)
    const revoke = (by: Person) => server.call(revokeFriendLink, { params: { id } }, by)
    expect(await revoke(bob)).toMatchObject({
      status: 404,
      body: { detail: 'Link not found', code: 'friend_link_not_found' },
    })
    expect((await lookUp(code, bob)).status).toBe(200)
    expect([(await revoke(ann)).status, (await revoke(ann)).status]).toEqual([204, 204])
    expect(await accept(server, code, bob)).toMatchObject(invalid)
    expect(await links(ann)).toEqual([])
  })

  it('is one of at most 20 active links', async () => {
    for (let count = 0; count < 20; count++) await makeLink(server, ann)
    const full = {
      status: 409,
      body: { detail: 'You already have 20 active links. Revoke one first.', code: 'too_many_friend_links' },
    }
    expect(await server.call(createFriendLink, { body: { kind: 'link' } }, ann)).toMatchObject(full)
    await makeLink(server, ann, { kind: 'qr' })
    await makeLink(server, bob)
  })

  it('is not created from invalid input', async () => {
    const long = { kind: 'link', note: 'x'.repeat(101) }
    const inputs = [{ kind: 'other' }, { kind: 'link', uses: 2 }, { kind: 'link', days: 2 }, long, {}]
    for (const body of [...inputs, { kind: 'link', note: 'a\u0000b' }])
      expect((await server.request('POST', '/api/friends/links', { body, as: ann })).status).toBe(422)
  })

  it('has a note of up to 100 characters without the spaces around it', async () => {
    const note = '🎉'.repeat(100)
    expect((await makeLink(server, ann, { note: `  ${note} ` })).note).toBe(note)
    expect(await server.call(createFriendLink, { body: { kind: 'link', note: `${note}!` } }, ann)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'note'], code: 'too_long', params: { limit: 100 } }] },
    })
  })

  it('refuses as a code what is no string, or too long', async () => {
    for (const code of [['x'], 7, 'x'.repeat(201), undefined])
      for (const path of ['lookup', 'accept'])
        expect((await server.request('POST', `/api/friends/links/${path}`, { body: { code }, as: ann })).status).toBe(
          422,
        )
  })

  it('refuses any other string like an unknown code', async () => {
    for (const code of ['', '\u0000', randomBytes(150).toString('latin1').slice(0, 200), '😀'.repeat(200)])
      expect(await lookUp(code)).toMatchObject(invalid)
  })

  it('appears in the export of both people without its code, and its uses forget a deleted account', async () => {
    const { code } = await makeLink(server, ann, { uses: 20, note: 'Club' })
    await accept(server, code, bob)
    await accept(server, code, cat)
    const anns = (await server.call(exportAccount, {}, ann)).body
    expect(anns.friend_links).toMatchObject([
      { note: 'Club', uses_left: 18, used_by: [{ username: bob.username }, { username: cat.username }] },
    ])
    expect((await server.call(exportAccount, {}, bob)).body.friend_links_used).toEqual([
      { creator_username: ann.username, used_at: expect.any(String) },
    ])
    expect(JSON.stringify(anns)).not.toContain(code)
    await server.call(deleteAccount, { body: { password } }, bob)
    expect((await links(ann))[0]?.used_by).toMatchObject([{ username: cat.username }])
    expect(await links(ann)).toMatchObject([{ uses_left: 18 }])
    const usesOf = (creator: Person) => server.db`
      select s.user_id, s.used_at from friend_link_uses s join friend_links l on l.id = s.link_id
      where l.user_id = ${creator.id} order by s.used_at, s.id`
    expect(await usesOf(ann)).toEqual([
      { user_id: null, used_at: expect.anything() },
      { user_id: cat.id, used_at: expect.anything() },
    ])
    await server.call(deleteAccount, { body: { password } }, ann)
    const linkRows = await server.db`select l::text as row from friend_links l`
    expect(linkRows.filter(({ row }) => row.includes(ann.id) || row.includes('Club'))).toEqual([])
    expect(await usesOf(ann)).toEqual([])
  })

  it('is deleted with its uses 30 days after it expired or was revoked', async () => {
    const [expired, revoked] = [await makeLink(server, ann, { days: 1 }), await makeLink(server, ann, { days: 30 })]
    await accept(server, expired.code, bob)
    await server.call(revokeFriendLink, { params: { id: revoked.id } }, ann)
    const left = async () => {
      await server.app.friendLinkJobs.runDue()
      const rows = await server.db`
        select l.id, count(s.id)::int as uses from friend_links l left join friend_link_uses s on s.link_id = l.id
        where l.user_id = ${ann.id} group by l.id order by uses desc`
      return rows.map(({ id, uses }) => [id, uses])
    }
    server.clock.advance(30 * dayMs - minuteMs)
    expect(await left()).toEqual([
      [expired.id, 1],
      [revoked.id, 0],
    ])
    server.clock.advance(2 * minuteMs)
    expect(await left()).toEqual([[expired.id, 1]])
    server.clock.advance(dayMs)
    expect(await left()).toEqual([])
  })
})

describe('a QR code', () => {
  it('has 20 uses without approval and is valid for ten minutes', async () => {
    const { code, uses_max, requires_approval, kind } = await makeLink(server, ann, { kind: 'qr', uses: 1, days: 30 })
    expect([kind, uses_max, requires_approval]).toEqual(['qr', 20, false])
    for (const person of [bob, cat])
      expect(await accept(server, code, person)).toMatchObject({ body: { status: 'accepted' } })
    server.clock.advance(10 * minuteMs - 1000)
    expect((await lookUp(code)).status).toBe(200)
    server.clock.advance(1000)
    expect(await lookUp(code)).toMatchObject(invalid)
  })

  it('is one of at most five: a sixth revokes the oldest', async () => {
    const codes: string[] = []
    for (let count = 0; count < 6; count++) {
      server.clock.advance(1000)
      codes.push((await makeLink(server, ann, { kind: 'qr' })).code)
    }
    const statuses = await Promise.all(codes.map(async (code) => (await lookUp(code)).status))
    expect(statuses).toEqual([404, 200, 200, 200, 200, 200])
  })

  it('counts towards the five while it is used up, so that the used-up one is the first to be revoked', async () => {
    const codes: string[] = []
    for (let count = 0; count < 6; count++) {
      server.clock.advance(1000)
      const { id, code } = await makeLink(server, ann, { kind: 'qr' })
      if (count === 0) await server.db`update friend_links set uses_left = 0 where id = ${id}`
      codes.push(code)
    }
    const active = await server.call(listFriendLinks, {}, ann)
    expect(active.body.map(({ uses_left }) => uses_left)).toEqual([20, 20, 20, 20, 20])
    const statuses = await Promise.all(codes.map(async (code) => (await lookUp(code)).status))
    expect(statuses).toEqual([404, 200, 200, 200, 200, 200])
  })
})
