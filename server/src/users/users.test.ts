import { blockUser, unblockUser } from '@hither/contract/friends.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { getMe, getUser, lookupUser, updateUser } from '@hither/contract/users.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startServer, type TestServer } from '../../test/harness.ts'

let server: TestServer
let ann: Person
let bob: Person
let eve: Person

beforeAll(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
  bob = await server.signUp('Bob')
  eve = await server.signUp('eve')
  await server.befriend(ann, bob)
})

afterAll(() => server.close())

const nobody = '01900000-0000-7000-8000-000000000000' as UserId
const notFound = { status: 404, body: { detail: 'User not found', code: 'user_not_found' } }
const unsigned = { status: 401, body: { detail: 'Authentication required', code: 'authentication_required' } }

function see(viewer: Person, id: UserId) {
  return server.call(getUser, { params: { id } }, viewer)
}

function lookUp(viewer: Person, username: string) {
  return server.call(lookupUser, { body: { username } }, viewer)
}

function change(who: Person, body: { username?: string; auto_join_chats?: boolean }, id = who.id) {
  return server.call(updateUser, { params: { id }, body }, who)
}

describe('the caller', () => {
  it('sees all fields of their own account', async () => {
    const { status, body } = await server.call(getMe, {}, ann)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: ann.id,
      email: 'ann@example.org',
      email_confirmed_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
      username: 'ann',
      display_name: null,
      has_image: false,
      auto_join_chats: true,
      locale: null,
    })
  })

  it('is refused after the account is deleted, even with a valid token', async () => {
    const gus = await server.signUp('gus')
    await server.db`delete from users where id = ${gus.id}`
    expect(await server.call(getMe, {}, gus)).toMatchObject(unsigned)
    expect(await change(gus, { auto_join_chats: false })).toMatchObject(unsigned)
  })
})

describe('another user', () => {
  it('is shown with name and picture to every signed-in user, without the address', async () => {
    const { status, body } = await see(eve, ann.id)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: ann.id,
      username: 'ann',
      display_name: null,
      has_image: false,
      created_at: expect.any(String),
    })
  })

  it('is shown with the online status to friends only', async () => {
    expect((await see(bob, ann.id)).body).toHaveProperty('is_online', false)
    expect((await see(ann, bob.id)).body).toHaveProperty('is_online', false)
    expect((await see(eve, ann.id)).body).not.toHaveProperty('is_online')
    expect((await see(ann, ann.id)).body).not.toHaveProperty('is_online')
  })

  it('returns 404 if unknown, and 422 for a malformed id', async () => {
    expect(await see(ann, nobody)).toMatchObject(notFound)
    const malformed = await server.request('GET', '/api/users/7', { as: ann })
    expect(malformed).toMatchObject({ status: 422, body: { detail: [{ loc: ['path', 'id'] }] } })
  })

  it('is found by the exact name, ignoring case', async () => {
    const { status, body } = await lookUp(ann, 'bOB')
    expect(status).toBe(200)
    expect(body).toEqual({ username: 'Bob', display_name: null, user_id: bob.id, has_image: false })
    for (const name of ['bo', 'bobb', '\uff22ob', 'b%', 'b_b', ' bob', "bob'--", '{bob}']) {
      expect(await lookUp(ann, name)).toMatchObject(notFound)
    }
  })

  it('returns 404 after a block in either direction', async () => {
    const missing = await lookUp(ann, 'nobody')
    await server.call(blockUser, { params: { username: 'eve' } }, ann)
    for (const [viewer, hidden] of [
      [ann, eve],
      [eve, ann],
    ] as const) {
      expect((await lookUp(viewer, hidden.username)).body).toEqual(missing.body)
      expect(await lookUp(viewer, hidden.username)).toMatchObject(notFound)
      expect(await see(viewer, hidden.id)).toMatchObject(notFound)
    }
    expect((await lookUp(bob, 'eve')).status).toBe(200)
    await server.call(unblockUser, { params: { username: 'eve' } }, ann)
    expect((await lookUp(eve, 'ann')).status).toBe(200)
  })

  it('requires authentication', async () => {
    expect(await server.call(getMe, {})).toMatchObject(unsigned)
    expect(await server.call(getUser, { params: { id: ann.id } })).toMatchObject(unsigned)
    expect(await server.call(lookupUser, { body: { username: 'ann' } })).toMatchObject(unsigned)
    expect(await server.call(updateUser, { params: { id: ann.id }, body: {} })).toMatchObject(unsigned)
  })
})

describe('changing a profile', () => {
  it('changes the given fields and keeps the others', async () => {
    const zoe = await server.signUp('zoe')
    server.clock.advance(60_000)
    const renamed = await change(zoe, { username: 'Zoe.2' })
    expect(renamed.status).toBe(200)
    expect(renamed.body).toMatchObject({ username: 'Zoe.2', auto_join_chats: true, email: 'zoe@example.org' })
    expect(renamed.body.updated_at).toBe(server.clock.now().toISOString())
    expect((await change(zoe, { auto_join_chats: false })).body).toMatchObject({
      username: 'Zoe.2',
      auto_join_chats: false,
    })
    expect((await server.call(getMe, {}, zoe)).body).toMatchObject({ username: 'Zoe.2', auto_join_chats: false })
    expect((await change(zoe, { username: 'ZOE.2' })).status).toBe(200)
  })

  it('is allowed for oneself only, and does not reveal who exists', async () => {
    const refused = { status: 403, body: { detail: 'You can only change your own profile', code: 'not_own_profile' } }
    expect(await change(ann, { username: 'mine' }, bob.id)).toMatchObject(refused)
    expect(await change(ann, { username: 'mine' }, nobody)).toMatchObject(refused)
    expect((await see(ann, bob.id)).body.username).toBe('Bob')
  })

  it('refuses a taken name, ignoring case', async () => {
    expect(await change(ann, { username: 'BOB' })).toMatchObject({
      status: 409,
      body: { detail: 'Username already taken', code: 'username_taken' },
    })
    expect((await server.call(getMe, {}, ann)).body.username).toBe('ann')
  })

  it.each([
    [{ username: 'x' }, 'username'],
    [{ username: 'x'.repeat(31) }, 'username'],
    [{ username: 'two words' }, 'username'],
    [{ username: 'ünal' }, 'username'],
    [{ username: '..' }, 'username'],
    [{ username: 'nul\u0000' }, 'username'],
    [{ username: null }, 'username'],
    [{ username: 42 }, 'username'],
    [{ auto_join_chats: 'true' }, 'auto_join_chats'],
    [{ auto_join_chats: 1 }, 'auto_join_chats'],
  ])('is refused with %j', async (body, field) => {
    const answer = await server.request('PATCH', `/api/users/${ann.id}`, { body, as: ann })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', field] }] } })
  })

  it('ignores fields that users may not change', async () => {
    const body = { email: 'other@example.org', has_image: true, id: nobody, auto_join_chats: true }
    const answer = await server.request('PATCH', `/api/users/${ann.id}`, { body, as: ann })
    expect(answer).toMatchObject({ status: 200, body: { id: ann.id, email: 'ann@example.org', has_image: false } })
  })

  it('announces a new name to the user and their friends, and not to strangers', async () => {
    const [mine, friends, strangers] = await Promise.all(
      [ann, bob, eve].map((person) => server.listen(person, ['users'])),
    )
    await change(ann, { username: 'anna' })
    await change(ann, { username: 'ann' })
    await change(eve, { username: 'evelyn' })
    const expectedChange = {
      eventType: 'UPDATE',
      new: { id: ann.id, username: 'anna', display_name: null, has_image: false, is_online: false },
    }
    for (const listener of [mine, friends]) {
      expect(await listener?.until((row) => row.new['username'] === 'anna')).toMatchObject(expectedChange)
      await listener?.until((row) => row.new['username'] === 'ann')
    }
    // Her own change arrives after everything she might have received about ann.
    await strangers?.until((row) => row.new['username'] === 'evelyn')
    expect(strangers?.received.map((row) => row.new['id'])).toEqual([eve.id])
    expect(friends?.received.map((row) => row.new['id'])).toEqual([ann.id, ann.id])
  })
})
