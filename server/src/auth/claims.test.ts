import { forgotPassword, google, listSessions, login, resetPassword, signup } from '@hither/contract/auth/auth.ts'
import { blockUser, listBlocked, listFriends, sendFriendRequest } from '@hither/contract/friends.ts'
import {
  createConversation,
  getConversation,
  listConversations,
  sendMessage,
} from '@hither/contract/messages/messages.ts'
import { getNotificationPreferences, updateNotificationPreferences } from '@hither/contract/notifications.ts'
import { createPing, getPing, listPings, respondToPing } from '@hither/contract/pings.ts'
import { shareTrip } from '@hither/contract/trips.ts'
import { exportAccount, getMe } from '@hither/contract/users.ts'
import { OAuth2Server } from 'oauth2-mock-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { type Mailbox, openMailbox } from '../../test/mailbox.ts'
import { taggedPicture } from '../../test/pictures.ts'
import { openFolder, type TestStorage } from '../../test/storages.ts'
import { accept, makeLink } from '../friend-links/harness.ts'

// A stranger signs up with the address of another person, who later proves that it is theirs.

const clientId = 'hither.apps.example.org'
let provider: OAuth2Server
let mailbox: Mailbox
let storage: TestStorage
let server: TestServer
let number = 0
/** The stranger, who created an account with the address of the victim. */
let claimed: Person
/** The stranger's own account, a friend of the account that they created. */
let eve: Person
let bob: Person

beforeAll(async () => {
  provider = new OAuth2Server()
  await provider.issuer.keys.generate('RS256')
  await provider.start(0, 'localhost')
  mailbox = await openMailbox()
  storage = await openFolder()
  server = await startServer({
    ...storage.environment,
    SMTP_URL: mailbox.url,
    CONFIRM_EMAIL: 'off',
    GOOGLE_CLIENT_ID: clientId,
    GOOGLE_ISSUER: provider.issuer.url ?? '',
  })
})

afterAll(async () => {
  await server.close()
  await storage.close()
  await mailbox.close()
  await provider.stop()
})

beforeEach(async () => {
  number++
  const [first, second, third] = await Promise.all(
    ['victim', 'eve', 'bob'].map((name) => server.signUp(`${name}${number}`)),
  )
  claimed = first as Person
  eve = second as Person
  bob = third as Person
  await server.befriend(claimed, eve)
  await server.befriend(bob, claimed)
  const place = { latitude: 45.5, longitude: -122.6 }
  const { body: own } = await server.call(createPing, { body: { name: 'Of the stranger', ...place } }, claimed)
  const { body: theirs } = await server.call(createPing, { body: { name: 'Of eve', ...place } }, eve)
  await server.call(respondToPing, { body: { ping_id: theirs.id, response_type: 'accepted' } }, claimed)
  await server.call(shareTrip, { params: { id: theirs.id }, body: { eta_minutes: 10 } }, claimed)
  const { body: direct } = await server.call(createConversation, { body: { participant_ids: [eve.id] } }, claimed)
  await server.call(sendMessage, { body: { conversation_id: direct.id, content: 'Words of a stranger' } }, claimed)
  // The chat of a ping remembers who created the ping.
  const group = { name: 'Group', participant_ids: [eve.id, bob.id], ping_id: own.id, system_created: true }
  expect((await server.call(createConversation, { body: group }, claimed)).body.erase_at).not.toBeNull()
  await server.call(updateNotificationPreferences, { body: { hide_details: true } }, claimed)
  await server.signUp(`cat${number}`)
  await server.signUp(`dan${number}`)
  await server.call(sendFriendRequest, { body: { username: `cat${number}` } }, claimed)
  await server.call(blockUser, { params: { username: `dan${number}` } }, claimed)
  await useLinks()
  await putPicture(claimed)
})

/** The account creates a friend link, uses the link of somebody else, and responds as a guest to their ping. */
async function useLinks() {
  const fay = await server.signUp(`fay${number}`)
  await makeLink(server, claimed)
  await accept(server, (await makeLink(server, fay, { uses: 5 })).code, claimed)
  const open = { name: 'Of fay', latitude: 45.5, longitude: -122.6, is_public: true, guest_policy: 'open' } as const
  const { body: ping } = await server.call(createPing, { body: { ...open, recipient_ids: [] } }, fay)
  const response = await server.call(respondToPing, { body: { ping_id: ping.id, response_type: 'accepted' } }, claimed)
  expect(response.body).toMatchObject({ is_guest: true })
}

async function putPicture(who: Person) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(await taggedPicture('jpeg'))], { type: 'image/jpeg' }), 'me.jpg')
  const headers = { authorization: `Bearer ${who.session.access_token}` }
  const { status } = await fetch(`${server.url}/api/files/profile-image`, { method: 'POST', headers, body: form })
  expect(status).toBe(200)
}

async function claimWithGoogle(): Promise<Person> {
  const idToken = await provider.issuer.buildToken({
    scopesOrTransform: (_header, payload) => {
      // The server's clock does not advance by itself.
      const at = Math.floor(server.clock.now().getTime() / 1000)
      Object.assign(payload, {
        iat: at,
        nbf: at,
        sub: `victim-${number}`,
        aud: clientId,
        email: claimed.email,
        email_verified: true,
      })
    },
  })
  const { status, body } = await server.call(google, { body: { id_token: idToken } })
  expect(status).toBe(200)
  return { ...claimed, session: body }
}

async function claimWithReset(): Promise<Person> {
  await server.call(forgotPassword, { body: { email: claimed.email } })
  await server.app.deliveryJobs.runDue()
  const own = 'a password of the owner'
  const answer = await server.call(resetPassword, { body: { token: mailbox.token(), password: own } })
  expect(answer.status).toBe(204)
  const { body } = await server.call(login, { body: { email: claimed.email, password: own } })
  return { ...claimed, session: body }
}

describe.each([
  ['an identity token', claimWithGoogle],
  ['a password reset by mail', claimWithReset],
])('an unconfirmed account that is claimed by %s', (_name, claim) => {
  it('contains no data of the user who created it', async () => {
    const owner = await claim()
    expect(owner.session.user).toMatchObject({ id: claimed.id, has_image: false })
    expect(owner.session.user.email_confirmed_at).not.toBeNull()
    const { body } = await server.call(exportAccount, {}, owner)
    expect(body).toMatchObject({
      friends: [],
      friend_requests_sent: [],
      friend_requests_received: [],
      blocked: [],
      images: [],
      pings: [],
      invitations: [],
      responses: [],
      conversations: [],
      messages: [],
      conversations_removed_from: [],
      conversations_left: [],
      friend_links: [],
      friend_links_used: [],
      guest_responses: [],
    })
    for (const list of [listFriends, listPings, listConversations, listBlocked])
      expect((await server.call(list, {}, owner)).body, list.address).toEqual([])
    expect((await server.call(getNotificationPreferences, {}, owner)).body.hide_details).toBe(false)
    expect((await server.call(listSessions, {}, owner)).body).toHaveLength(1)
    expect(await rowsNaming(claimed.id)).toEqual(
      _name === 'an identity token' ? { identities: 1, sessions: 1 } : { sessions: 1 },
    )
    await server.app.fileJobs.runDue()
    expect(await storage.listFiles()).toEqual([])
  })

  it('sends its first ping to no friend of its creator', async () => {
    const owner = await claim()
    const eves = await server.listen(eve, ['location_pins', 'friendships'])
    const place = { latitude: 48.2, longitude: 16.3 }
    const alone = await server.call(createPing, { body: { name: 'Here I am', ...place } }, owner)
    expect(alone).toMatchObject({ status: 422 })
    const own = { name: 'Here I am', ...place, is_public: true }
    const { body: ping } = await server.call(createPing, { body: own }, owner)
    expect(ping.recipients).toEqual([])
    expect((await server.call(listPings, { query: {} }, eve)).body.map(({ name }) => name)).toEqual(['Of eve'])
    expect((await server.call(getPing, { params: { id: ping.id } }, bob)).body).not.toHaveProperty('recipients')
    expect(eves.received).toEqual([])
  })

  it('signs out its creator, and announces to others that its content is deleted', async () => {
    const { body: chats } = await server.call(listConversations, {}, eve)
    const eves = await server.listen(eve, ['friendships', 'location_pins', 'chats'])
    await claim()
    await eves.until(({ table, eventType }) => table === 'friendships' && eventType === 'DELETE')
    expect(eves.received.map(({ table, eventType }) => `${table} ${eventType}`)).toContain('location_pins DELETE')
    expect((await server.call(getMe, {}, claimed)).status).toBe(401)
    expect((await server.call(login, { body: { email: claimed.email, password } })).status).toBe(401)
    const direct = chats.find(({ type }) => type === 'direct')
    const { body: seen } = await server.call(
      getConversation,
      { params: { id: direct?.id ?? ('' as never) }, query: {} },
      eve,
    )
    expect(seen.message_details.messages).toMatchObject([{ sender_id: null, content: 'Words of a stranger' }])
  })
})

it('a confirmed account that is claimed again keeps everything', async () => {
  await server.db`update users set email_confirmed_at = created_at where id = ${claimed.id}`
  const owner = await claimWithGoogle()
  expect((await server.call(listFriends, {}, owner)).body).toHaveLength(2)
  expect((await server.call(listPings, { query: {} }, await claimWithReset())).body).toHaveLength(2)
})

it('a claim keeps the blocks by others, who could otherwise be reached again', async () => {
  await server.call(blockUser, { params: { username: claimed.username } }, bob)
  const owner = await claimWithReset()
  const request = await server.call(sendFriendRequest, { body: { username: bob.username } }, owner)
  expect(request.status).toBe(404)
  expect((await server.call(signup, { body: { email: claimed.email, password, username: 'x' } })).status).not.toBe(201)
})

/** The number of rows in each table that refer to the user, by its foreign keys to users. */
async function rowsNaming(userId: string): Promise<Record<string, number>> {
  const keys = await server.db<{ name: string; field: string }[]>`
    select c.conrelid::regclass::text as name, a.attname as field
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'users'::regclass`
  expect(keys.length).toBeGreaterThan(20)
  const found: Record<string, number> = {}
  for (const { name, field } of keys) {
    const rows = await server.db`select 1 from ${server.db(name)} where ${server.db(field)} = ${userId}`
    if (rows.length > 0) found[name] = (found[name] ?? 0) + rows.length
  }
  return found
}
