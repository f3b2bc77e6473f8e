import { changePassword, listSessions, login, signup } from '@hither/contract/auth/auth.ts'
import { createCircle } from '@hither/contract/circles.ts'
import { blockUser, listFriends, sendFriendRequest } from '@hither/contract/friends.ts'
import type { PhotoId, PingId } from '@hither/contract/ids.ts'
import { createConversation, removeParticipant, sendMessage } from '@hither/contract/messages/messages.ts'
import { createPing, getPing, listPings, respondToPing } from '@hither/contract/pings.ts'
import { emailKeyOf } from '@hither/contract/runtime/identifiers.ts'
import {
  deleteAccount,
  exportAccount,
  exportAccountWithPassword,
  getMe,
  getUser,
  updateUser,
} from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { emptyOutbox } from '../../test/outbox.ts'
import { taggedPicture } from '../../test/pictures.ts'
import { openFolder, type TestStorage } from '../../test/storages.ts'
import { actionsOn } from '../messages/harness.ts'

let storage: TestStorage
let server: TestServer
let number = 0
let ann: Person
let bob: Person
let cat: Person
let eve: Person

beforeAll(async () => {
  storage = await openFolder()
  server = await startServer(storage.environment)
})

beforeEach(async () => {
  number++
  const [first, second, third, fourth] = await Promise.all(
    ['Ann', 'bob', 'cat', 'eve'].map((name) => server.signUp(`${name}.${number}`)),
  )
  ann = first as Person
  bob = second as Person
  cat = third as Person
  eve = fourth as Person
  await server.befriend(ann, bob)
  await server.befriend(cat, ann)
  await server.befriend(bob, cat)
})

afterAll(async () => {
  await server.close()
  await storage.close()
})

const unsigned = { status: 401, body: { detail: 'Authentication required', code: 'authentication_required' } }
const wrongPassword = { status: 403, body: { detail: 'The password is not correct', code: 'wrong_password' } }

async function drop(owner: Person, name: string): Promise<PingId> {
  const body = { name, latitude: 45.5, longitude: -122.6, duration_minutes: 30 as const }
  return (await server.call(createPing, { body: { ...body, message: `message of ${name}` } }, owner)).body.id
}

function answer(who: Person, ping_id: PingId) {
  return server.call(respondToPing, { body: { ping_id, response_type: 'accepted' } }, who)
}

function erase(who: Person, secret: string | undefined = password) {
  return server.call(deleteAccount, { body: secret === undefined ? {} : { password: secret } }, who)
}

describe('deleting the account', () => {
  it('requires the password if the account has one', async () => {
    expect(await erase(ann, 'wrong password')).toMatchObject(wrongPassword)
    expect(await erase(ann, '')).toMatchObject(wrongPassword)
    const without = await server.request('DELETE', '/api/users/me', { as: ann })
    expect(without).toMatchObject(wrongPassword)
    expect((await server.call(getMe, {}, ann)).status).toBe(200)
    expect(await server.call(deleteAccount, { body: { password } })).toMatchObject(unsigned)
  })

  it('is refused for an account without a password if no identity provider is configured', async () => {
    await server.db`update users set password_hash = null where id = ${ann.id}`
    const refused = {
      status: 403,
      body: { detail: 'Please sign in with Google again to do this', code: 'identity_required' },
    }
    expect(await server.request('DELETE', '/api/users/me', { as: ann })).toMatchObject(refused)
    expect(await erase(ann)).toMatchObject(refused)
    expect((await server.call(getMe, {}, ann)).status).toBe(200)
  })

  it('ends every session at once, and frees the username and the address', async () => {
    const other = await server.signIn(ann)
    expect((await erase(ann)).status).toBe(204)
    for (const { session } of [ann, other]) {
      expect(await server.call(listFriends, {}, session.access_token)).toMatchObject(unsigned)
      const body = { refresh_token: session.refresh_token }
      expect((await server.request('POST', '/api/auth/refresh', { body })).status).toBe(401)
    }
    expect((await server.call(login, { body: { email: ann.email, password } })).status).toBe(401)
    const again = await server.call(signup, { body: { email: ann.email, password, username: ann.username } })
    expect(again.status).toBe(201)
  })

  it('keeps its access tokens refused after a restart, by storing only the ids of its sessions', async () => {
    const { body } = await server.call(listSessions, {}, ann)
    await erase(ann)
    const rows = await server.db`select * from revoked_sessions where session_id = ${body[0]?.id ?? ''}`
    expect(rows).toEqual([{ session_id: body[0]?.id, revoked_at: server.clock.now().toISOString() }])
    server.clock.advance(25 * 3_600_000 + 1)
    await server.app.authJobs.runDue()
    expect(await server.db`select 1 from revoked_sessions`).toHaveLength(0)
  })

  it('removes all its content for friends live, and announces nothing to others', async () => {
    const [own, theirs] = [await drop(ann, 'Ours'), await drop(bob, 'Theirs')]
    for (const [who, ping] of [
      [bob, own],
      [ann, theirs],
      [cat, theirs],
    ] as const) {
      expect((await answer(who, ping)).status).toBe(200)
    }
    await server.call(sendFriendRequest, { body: { username: eve.username } }, ann)
    const tables = ['users', 'friendships', 'friend_requests', 'location_pins', 'ping_responses'] as const
    const [bobs, cats, eves] = await Promise.all([bob, cat, eve].map((person) => server.listen(person, tables)))
    await erase(ann)
    for (const listener of [bobs, cats]) {
      await listener?.until((change) => change.table === 'users' && change.eventType === 'DELETE')
    }
    await eves?.until((change) => change.table === 'friend_requests')
    const announcements = (listener: typeof bobs) =>
      listener?.received.map(({ table, eventType, old }) => [table, eventType, old['id'] ?? old['ping_id']])
    const friendship = ['friendships', 'DELETE', expect.any(String)]
    expect(announcements(bobs)).toEqual([
      ['ping_responses', 'DELETE', own],
      ['location_pins', 'DELETE', own],
      ['ping_responses', 'DELETE', theirs],
      friendship,
      ['users', 'DELETE', ann.id],
    ])
    expect(announcements(cats)).toEqual([
      ['ping_responses', 'DELETE', own],
      ['location_pins', 'DELETE', own],
      ['ping_responses', 'DELETE', theirs],
      friendship,
      ['users', 'DELETE', ann.id],
    ])
    expect(announcements(eves)).toEqual([['friend_requests', 'DELETE', expect.any(String)]])
  })

  it('announces the end of its reactions to the other members', async () => {
    const cast = actionsOn(server)
    const { id } = await cast.group(bob, [ann, cat])
    const left = await cast.group(bob, [ann, cat])
    const { id: message } = await cast.say(id, bob)
    const { id: earlier } = await cast.say(left.id, bob)
    for (const reacted of [message, earlier]) await cast.react(reacted, ann)
    await cast.leave(left.id, ann)
    const listener = await server.listen(cat, ['message_reactions'])
    await erase(ann)
    for (const message_id of [message, earlier])
      await listener.until(({ eventType, old }) => eventType === 'DELETE' && old['message_id'] === message_id)
    expect((await cast.reactions(message, cat)).body).toEqual([])
  })

  it('does not announce the end of its reactions across a block', async () => {
    const cast = actionsOn(server)
    const direct = await cast.make(ann, [cat])
    const group = await cast.group(bob, [ann, cat])
    const { id: hidden } = await cast.say(direct.id, cat)
    const { id: common } = await cast.say(group.id, cat)
    for (const reacted of [hidden, common]) await cast.react(reacted, ann)
    await cast.block(ann, cat)
    const listener = await server.listen(cat, ['message_reactions'])
    await erase(ann)
    await listener.until(({ eventType, old }) => eventType === 'DELETE' && old['message_id'] === common)
    expect(listener.received.map(({ old }) => old['message_id'])).toEqual([common])
  })

  it('keeps the content of friends', async () => {
    const ping = await drop(bob, 'Theirs')
    await answer(cat, ping)
    await erase(ann)
    expect((await server.call(listFriends, {}, bob)).body.map(({ username }) => username)).toEqual([cat.username])
    expect((await server.call(listPings, { query: {} }, cat)).body.map(({ id }) => id)).toEqual([ping])
    const seen = await server.call(getPing, { params: { id: ping } }, bob)
    expect(seen.body).toMatchObject({ recipients: [{ recipient_id: cat.id }], responses: [{ user_id: cat.id }] })
    expect((await server.call(getUser, { params: { id: ann.id } }, bob)).status).toBe(404)
  })

  it('leaves no trace in any table', async () => {
    const [own, theirs] = [await drop(ann, 'Ours'), await drop(bob, 'Theirs')]
    const circleOf = (owner: Person, member: Person) =>
      server.call(createCircle, { body: { name: `Circle of ${owner.username}`, member_ids: [member.id] } }, owner)
    const { id: circleId } = (await circleOf(ann, bob)).body
    await circleOf(bob, ann)
    const forCircle = { name: 'Tea', latitude: 45.5, longitude: -122.6, circle_ids: [circleId], recipient_ids: [] }
    expect((await server.call(createPing, { body: forCircle }, ann)).status).toBe(201)
    await answer(bob, own)
    await answer(ann, theirs)
    await uploadPicture(ann, '/api/files/profile-image')
    await uploadPicture(ann, `/api/files/pin-image/${own}`)
    await server.call(sendFriendRequest, { body: { username: eve.username } }, ann)
    await server.request('POST', `/api/friends/block/${eve.username}`, { as: ann })
    await talk()
    await chat()
    await insertWhatMailAndProvidersLeave()
    const marks = [ann.id, ann.email, ann.username, own, 'Ours', 'subject-of-ann', 'Phone of ann']
    expect(await tracesOf(marks)).not.toEqual([])
    const files = await server.db`select storage_key from images where user_id = ${ann.id} or ping_id = ${own}
        or uploaded_by = ${ann.id}`
    expect((await erase(ann)).status).toBe(204)
    // The outbox stores announcements for five minutes, until every node has delivered them.
    await emptyOutbox(server.db)
    expect(await tracesOf(marks)).toEqual([])
    const keys = files.map((row) => String(row['storage_key']))
    const erasing = await server.db`select 1 from erasures where storage_key = any(${keys}::text[])`
    expect([keys.length, erasing.length]).toEqual([3, 3])
    expect(await storage.listFiles()).not.toEqual([])
    await server.app.fileJobs.runDue()
    expect(await storage.listFiles()).toEqual([])
  })

  it('succeeds while a friend creates a ping', async () => {
    const answers = await Promise.all([
      erase(ann),
      server.call(createPing, { body: { name: 'Now', latitude: 0, longitude: 0, duration_minutes: 30 as const } }, bob),
      server.call(changePassword, { body: { current_password: password, new_password: 'another one' } }, cat),
    ])
    expect(answers.map(({ status }) => status)).toEqual([204, 201, 204])
  })
})

/** A group of her own, a direct conversation, and a group that she was removed from. */
async function talk(): Promise<void> {
  const make = async (owner: Person, others: Person[], name?: string) => {
    const participant_ids = others.map(({ id }) => id)
    const { body } = await server.call(createConversation, { body: { participant_ids, name: name ?? null } }, owner)
    await server.call(sendMessage, { body: { conversation_id: body.id, content: 'Hello' } }, ann)
    return body.id
  }
  await make(ann, [bob, cat], 'Hers')
  await make(ann, [bob])
  const id = await make(bob, [ann, cat], 'His')
  expect((await server.call(removeParticipant, { params: { id }, body: { user_id: ann.id } }, bob)).status).toBe(200)
}

/** A direct conversation with an edited text, a place, a photo and a reaction of ann. */
async function chat(): Promise<void> {
  const cast = actionsOn(server)
  const { id } = (await cast.create(ann, [bob])).body
  const message = await cast.say(id, ann, 'See you at 8')
  await cast.edit(message.id, ann, 'See you at 9')
  await cast.react(message.id, ann)
  server.clock.advance(1)
  const place = { name: 'Nero', address: 'Main Street 5', latitude: 45.5, longitude: -122.6 }
  await cast.post(id, ann, { place })
  server.clock.advance(1)
  await uploadPicture(ann, `/api/messages/conversations/${id}/photos`)
  const [photo] = await server.db<{ id: PhotoId }[]>`select id from images where chat_id = ${id}`
  if (photo) await cast.post(id, ann, { photo_id: photo.id })
  await cast.pin(id, ann)
}

async function uploadPicture(who: Person, path: string): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(await taggedPicture('png'))]), 'me.png')
  const headers = { authorization: `Bearer ${who.session.access_token}` }
  const response = await fetch(`${server.url}${path}`, { method: 'POST', body: form, headers })
  expect(response.status).toBeLessThan(300)
}

/** Inserts rows that this server, without mail and identity provider, does not create by itself. */
async function insertWhatMailAndProvidersLeave(): Promise<void> {
  const now = server.clock.now()
  const id = '01900000-0000-7000-8000-0000000000aa'
  await server.db`
    insert into identities (issuer, subject, user_id, created_at)
    values ('https://id.example.org', 'subject-of-ann', ${ann.id}, ${now})`
  await server.db`
    insert into signups (id, email, email_key, username, username_key, password_hash, created_at, expires_at)
    values (${id}, ${ann.email.toUpperCase()}, ${emailKeyOf(ann.email)}, 'waiting', 'waiting', 'hash', ${now}, ${now})`
  await server.db`
    insert into mail_tokens (token_hash, purpose, user_id, created_at, expires_at)
    values ('\\x01', 'reset', ${ann.id}, ${now}, ${now})`
  await server.db`
    insert into push_subscriptions (id, session_id, user_id, endpoint, p256dh, auth, updated_at)
    select ${id}, id, user_id, 'https://push.example.org/subject-of-ann', 'key', 'auth', ${now}
    from sessions where user_id = ${ann.id} limit 1`
  await server.db`insert into notification_preferences (user_id) values (${ann.id})`
  await server.db`
    insert into chat_mutes (user_id, chat_id) select user_id, chat_id from chat_members where user_id = ${ann.id} limit 1`
  await server.db`
    insert into push_deliveries (id, subscription_id, kind, tag, happened_at, due_at, expires_at)
    values (${id}, ${id}, 'test', 'test', ${now}, ${now}, ${now})`
  await server.db`
    insert into reports (
      id, reporter_id, subject, subject_id, reason, text, created_at, user_id, username, name, content, address,
      picture_storage_key, picture_hash, picture_bytes, erase_at)
    values
      (gen_random_uuid(), ${bob.id}, 'user', ${ann.id}, 'spam', null, ${now}, ${ann.id}, ${ann.username}, 'Ours',
        null, null, 'copy.webp', 'hash', 1, ${now}),
      (gen_random_uuid(), ${ann.id}, 'user', ${bob.id}, 'spam', ${ann.email}, ${now}, ${bob.id}, ${bob.username}, null,
        null, null, null, null, null, ${now})`
  await server.db`insert into admins (user_id, appointed_at) values (${ann.id}, ${now})`
  await server.db`insert into suspensions (user_id, reason, suspended_at) values (${ann.id}, 'Past', ${now})`
  await server.db`
    insert into invitations (id, code_hash, note, uses_max, uses_left, created_by, created_at, expires_at)
    values (gen_random_uuid(), sha256(${ann.id}::text::bytea), 'For the club', 1, 1, ${ann.id}, ${now}, ${now})`
  await server.db`
    insert into admin_actions (id, admin_id, action, user_id, note, acted_at)
    values (gen_random_uuid(), ${ann.id}, 'lift', ${bob.id}, null, ${now}),
      (gen_random_uuid(), ${bob.id}, 'suspend', ${ann.id}, ${ann.username}, ${now})`
  await server.db`
    insert into deliveries (id, template, user_id, created_at, due_at)
    values (${id}, 'reset', ${ann.id}, ${now}, ${now})`
  await server.db`
    insert into passkeys (id, user_id, credential_id, public_key, counter, transports, aaguid, backed_up, name, created_at)
    values (${id}, ${ann.id}, sha256(${ann.id}::text::bytea), 'key of ann', 0, '{}', ${id}, true, 'Phone of ann', ${now})`
  await server.db`
    insert into auth_challenges (hash, purpose, user_id, data, created_at, expires_at)
    values (sha256(${ann.id}::text::bytea), 'passkey_create', ${ann.id}, '{}', ${now}, ${now})`
  await server.db`
    insert into recovery_codes (user_id, code_hash, created_at)
    values (${ann.id}, sha256(${ann.id}::text::bytea), ${now})`
  await server.db`
    insert into security_events (id, user_id, kind, session_id, device, created_at)
    values (${id}, ${ann.id}, 'passkey_added', null, 'Chrome on Mac', ${now})`
}

/** Every existing table and column, including ones added later. */
async function tracesOf(marks: string[]): Promise<string[]> {
  const columns = await server.db<{ table_name: string; column_name: string }[]>`
    select table_name, column_name from information_schema.columns where table_schema = 'public'
    order by table_name, column_name`
  expect(columns.length).toBeGreaterThan(80)
  const found: string[] = []
  for (const { table_name, column_name } of columns) {
    const rows = await server.db`
      select 1 from ${server.db(table_name)}
      where exists (
        select 1 from unnest(${marks}::text[]) as mark
        where strpos(lower(${server.db(column_name)}::text), lower(mark)) > 0)`
    if (rows.length > 0) found.push(`${table_name}.${column_name}`)
  }
  return found
}

describe('the export of the account', () => {
  it('contains all data about the caller as a file download', async () => {
    const [own, theirs] = [await drop(ann, 'Ours'), await drop(bob, 'Theirs')]
    await answer(bob, own)
    await answer(ann, theirs)
    await server.call(sendFriendRequest, { body: { username: eve.username } }, ann)
    await chat()
    await insertWhatMailAndProvidersLeave()
    const circle = { name: 'Close friends', emoji: '☕', member_ids: [cat.id, bob.id] }
    const { id: circleId } = (await server.call(createCircle, { body: circle }, ann)).body
    await server.call(createCircle, { body: { name: 'Nosy colleagues', member_ids: [ann.id] } }, bob)
    const forCircle = { name: 'Tea', latitude: 45.5, longitude: -122.6, circle_ids: [circleId], recipient_ids: [] }
    const tea = (await server.call(createPing, { body: forCircle }, ann)).body.id
    const { status, body, headers } = await server.call(exportAccount, {}, ann)
    expect(JSON.stringify(body)).not.toContain('Nosy colleagues')
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toBe('attachment; filename="hither-export.json"')
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(headers.get('cache-control')).toBe('no-store')
    const at = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(body).toMatchObject({
      exported_at: server.clock.now().toISOString(),
      account: { id: ann.id, email: ann.email, username: ann.username, has_password: true },
      identities: [{ issuer: 'https://id.example.org', subject: 'subject-of-ann', created_at: at }],
      sessions: [{ id: expect.any(String), device: null, created_at: at, ended_at: null }],
      passkeys: [{ name: 'Phone of ann', created_at: at, last_used_at: null }],
      recovery_codes: 1,
      security_events: [{ kind: 'passkey_added', device: 'Chrome on Mac', created_at: at, seen_at: null }],
      friends: [
        { username: bob.username, created_at: at },
        { username: cat.username, created_at: at },
      ],
      friend_requests_sent: [{ username: eve.username, created_at: at }],
      friend_requests_received: [],
      blocked: [],
      circles: [{ name: 'Close friends', emoji: '☕', members: [bob.username, cat.username], created_at: at }],
      pings: [
        { id: tea, audience: { circle_ids: [circleId], recipient_ids: [], former_friend_count: 0 } },
        {
          id: own,
          name: 'Ours',
          message: 'message of Ours',
          latitude: 45.5,
          recipients: [{ recipient_username: bob.username }, { recipient_username: cat.username }],
          responses: [{ username: bob.username, response_type: 'accepted' }],
        },
      ],
      invitations: [{ ping_id: theirs, username: bob.username, has_seen: false }],
      responses: [{ ping_id: theirs, username: bob.username, response_type: 'accepted' }],
      conversations: [{ type: 'direct', pinned_at: at, archived_at: null }],
      messages: [
        { content: 'See you at 9', edited_at: at, caption: null, has_photo: false, place: null },
        {
          content: '📍 Nero',
          caption: '',
          has_photo: false,
          place: { name: 'Nero', address: 'Main Street 5', latitude: 45.5, longitude: -122.6 },
        },
        { content: '📷 Photo', edited_at: null, caption: '', has_photo: true, place: null },
      ],
      reactions: [{ message_seq: 1, emoji: '👍', created_at: at }],
      moderation: {
        admin_since: at,
        reports: [{ subject: 'user', reason: 'spam', text: ann.email, created_at: at }],
        invitations: [{ note: 'For the club', created_at: at, expires_at: at }],
        admin_actions: [{ action: 'lift', note: null, acted_at: at }],
      },
    })
  })

  it('contains no secret, and only the usernames of others', async () => {
    await answer(bob, await drop(ann, 'Ours'))
    await drop(bob, 'Theirs')
    const text = JSON.stringify((await server.call(exportAccount, {}, ann)).body)
    expect(text).not.toMatch(/\$argon2|token_hash|password_hash|code_hash|public_key|credential_id|counter/)
    for (const secret of [bob.email, cat.email, 'Theirs', ann.session.refresh_token]) expect(text).not.toContain(secret)
  })

  it('shows a blocked user as "Blocked user" to both, whatever their current name is', async () => {
    await answer(ann, await drop(bob, 'Theirs'))
    await server.call(blockUser, { params: { username: bob.username } }, ann)
    await server.call(updateUser, { params: { id: bob.id }, body: { username: 'someone_new' } }, bob)
    const { body } = await server.call(exportAccount, {}, ann)
    expect(body).toMatchObject({
      blocked: [{ username: 'Blocked user' }],
      invitations: [{ username: 'Blocked user' }],
      responses: [{ username: 'Blocked user' }],
    })
    for (const name of [bob.username, 'someone_new']) expect(JSON.stringify(body)).not.toContain(`"${name}"`)
  })

  it('needs a recent sign-in or the password', async () => {
    const again = { status: 403, body: { code: 'recent_sign_in_required' } }
    const withPassword = (body: { password?: string }) => server.call(exportAccountWithPassword, { body }, ann)
    expect((await withPassword({})).body.account.id).toBe(ann.id)
    server.clock.advance(11 * 60_000)
    expect(await server.call(exportAccount, {}, ann)).toMatchObject(again)
    expect(await withPassword({})).toMatchObject(again)
    expect(await withPassword({ password: 'not the password' })).toMatchObject(wrongPassword)
    const { status, body, headers } = await withPassword({ password })
    expect([status, body.account.id]).toEqual([200, ann.id])
    expect(headers.get('content-disposition')).toBe('attachment; filename="hither-export.json"')
  })

  it('requires authentication as the account itself', async () => {
    expect(await server.call(exportAccount, {})).toMatchObject(unsigned)
    expect(await server.call(exportAccountWithPassword, { body: { password } })).toMatchObject(unsigned)
    const theirs = JSON.stringify((await server.call(exportAccount, {}, eve)).body)
    expect(theirs).not.toContain(ann.username)
    await erase(ann)
    expect(await server.call(exportAccount, {}, ann)).toMatchObject(unsigned)
  })
})
