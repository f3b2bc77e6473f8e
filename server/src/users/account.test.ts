import { changePassword, listSessions, login, signup } from '@hither/contract/auth.ts'
import { blockUser, listFriends, sendFriendRequest } from '@hither/contract/friends.ts'
import { type PingId } from '@hither/contract/ids.ts'
import { createConversation, removeParticipant, sendMessage } from '@hither/contract/messages.ts'
import { createPing, getPing, listPings, respondToPing } from '@hither/contract/pings.ts'
import { deleteAccount, exportAccount, getMe, getUser, updateUser } from '@hither/contract/users.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { taggedPicture } from '../../test/pictures.ts'
import { openFolder, type TestStorage } from '../../test/storages.ts'
import { deleteOlderThan } from '../platform/events/outbox.queries.ts'

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

const unsigned = { status: 401, body: { detail: 'Authentication required' } }
const wrongPassword = { status: 403, body: { detail: 'The password is not correct' } }

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
  it('needs the password where there is one', async () => {
    expect(await erase(ann, 'wrong password')).toMatchObject(wrongPassword)
    expect(await erase(ann, '')).toMatchObject(wrongPassword)
    const without = await server.request('DELETE', '/api/users/me', { as: ann })
    expect(without).toMatchObject(wrongPassword)
    expect((await server.call(getMe, {}, ann)).status).toBe(200)
    expect(await server.call(deleteAccount, { body: { password } })).toMatchObject(unsigned)
  })

  it('is refused without a password where there is no identity provider to ask', async () => {
    await server.db`update users set password_hash = null where id = ${ann.id}`
    const refused = { status: 403, body: { detail: 'Please sign in with Google again to do this' } }
    expect(await server.request('DELETE', '/api/users/me', { as: ann })).toMatchObject(refused)
    expect(await erase(ann)).toMatchObject(refused)
    expect((await server.call(getMe, {}, ann)).status).toBe(200)
  })

  it('ends every session at once, and its name and address are free again', async () => {
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

  it('keeps its access tokens refused after a restart, by nothing but the ids of its sessions', async () => {
    const { body } = await server.call(listSessions, {}, ann)
    await erase(ann)
    const rows = await server.db`select * from revoked_sessions where session_id = ${body[0]?.id ?? ''}`
    expect(rows).toEqual([{ session_id: body[0]?.id, revoked_at: server.clock.now().toISOString() }])
    server.clock.advance(25 * 3_600_000 + 1)
    await server.app.authJobs.runDue()
    expect(await server.db`select 1 from revoked_sessions`).toHaveLength(0)
  })

  it('makes everything of it vanish from before the eyes of friends, and of nobody else', async () => {
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
    const told = (heard: typeof bobs) =>
      heard?.heard.map(({ table, eventType, old }) => [table, eventType, old['id'] ?? old['ping_id']])
    const friendship = ['friendships', 'DELETE', expect.any(String)]
    expect(told(bobs)).toEqual([
      ['ping_responses', 'DELETE', own],
      ['location_pins', 'DELETE', own],
      ['ping_responses', 'DELETE', theirs],
      friendship,
      ['users', 'DELETE', ann.id],
    ])
    expect(told(cats)).toEqual([
      ['ping_responses', 'DELETE', own],
      ['location_pins', 'DELETE', own],
      ['ping_responses', 'DELETE', theirs],
      friendship,
      ['users', 'DELETE', ann.id],
    ])
    expect(told(eves)).toEqual([['friend_requests', 'DELETE', expect.any(String)]])
  })

  it('leaves friends theirs', async () => {
    const ping = await drop(bob, 'Theirs')
    await answer(cat, ping)
    await erase(ann)
    expect((await server.call(listFriends, {}, bob)).body.map(({ username }) => username)).toEqual([cat.username])
    expect((await server.call(listPings, {}, cat)).body.map(({ id }) => id)).toEqual([ping])
    const seen = await server.call(getPing, { params: { id: ping } }, bob)
    expect(seen.body).toMatchObject({ recipients: [{ recipient_id: cat.id }], responses: [{ user_id: cat.id }] })
    expect((await server.call(getUser, { params: { id: ann.id } }, bob)).status).toBe(404)
  })

  it('leaves no trace in any table', async () => {
    const [own, theirs] = [await drop(ann, 'Ours'), await drop(bob, 'Theirs')]
    await answer(bob, own)
    await answer(ann, theirs)
    await uploadPicture(ann, '/api/files/profile-image')
    await uploadPicture(ann, `/api/files/pin-image/${own}`)
    await server.call(sendFriendRequest, { body: { username: eve.username } }, ann)
    await server.request('POST', `/api/friends/block/${eve.username}`, { as: ann })
    await talk()
    await insertWhatMailAndProvidersLeave()
    const marks = [ann.id, ann.email, ann.username, own, 'Ours', 'subject-of-ann']
    expect(await tracesOf(marks)).not.toEqual([])
    const files = await server.db`select storage_key from images where user_id = ${ann.id} or ping_id = ${own}`
    expect((await erase(ann)).status).toBe(204)
    // The outbox holds what was announced for five minutes: until every node has delivered it.
    await deleteOlderThan(server.db, 0, 1000)
    expect(await tracesOf(marks)).toEqual([])
    const keys = files.map((row) => String(row['storage_key']))
    const erasing = await server.db`select 1 from erasures where storage_key = any(${keys}::text[])`
    expect([keys.length, erasing.length]).toEqual([2, 2])
    expect(await storage.listFiles()).not.toEqual([])
    await server.app.fileJobs.runDue()
    expect(await storage.listFiles()).toEqual([])
  })

  it('at the same moment as a friend drops a pin disturbs neither', async () => {
    const answers = await Promise.all([
      erase(ann),
      server.call(createPing, { body: { name: 'Now', latitude: 0, longitude: 0, duration_minutes: 30 as const } }, bob),
      server.call(changePassword, { body: { current_password: password, new_password: 'another one' } }, cat),
    ])
    expect(answers.map(({ status }) => status)).toEqual([204, 201, 204])
  })
})

/** In a group of her own, in a direct conversation, and in a group that she was removed from. */
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

async function uploadPicture(who: Person, path: string): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(await taggedPicture('png'))]), 'me.png')
  const headers = { authorization: `Bearer ${who.session.access_token}` }
  const response = await fetch(`${server.url}${path}`, { method: 'POST', body: form, headers })
  expect(response.status).toBe(200)
}

/** Rows that this server, without mail and identity provider, does not write by itself. */
async function insertWhatMailAndProvidersLeave(): Promise<void> {
  const now = server.clock.now()
  const id = '01900000-0000-7000-8000-0000000000aa'
  await server.db`
    insert into identities (issuer, subject, user_id, created_at)
    values ('https://id.example.org', 'subject-of-ann', ${ann.id}, ${now})`
  await server.db`
    insert into signups (id, email, username, password_hash, created_at, expires_at)
    values (${id}, ${ann.email.toUpperCase()}, 'waiting', 'hash', ${now}, ${now})`
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
}

/** Every table and column that there is, also those that are yet to come. */
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

describe('the export', () => {
  it('holds all that is held on the caller, as a file to be saved', async () => {
    const [own, theirs] = [await drop(ann, 'Ours'), await drop(bob, 'Theirs')]
    await answer(bob, own)
    await answer(ann, theirs)
    await server.call(sendFriendRequest, { body: { username: eve.username } }, ann)
    await insertWhatMailAndProvidersLeave()
    const { status, body, headers } = await server.call(exportAccount, {}, ann)
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
      friends: [
        { username: bob.username, created_at: at },
        { username: cat.username, created_at: at },
      ],
      friend_requests_sent: [{ username: eve.username, created_at: at }],
      friend_requests_received: [],
      blocked: [],
      pings: [
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
      moderation: {
        admin_since: at,
        reports: [{ subject: 'user', reason: 'spam', text: ann.email, created_at: at }],
        invitations: [{ note: 'For the club', created_at: at, expires_at: at }],
        admin_actions: [{ action: 'lift', note: null, acted_at: at }],
      },
    })
  })

  it('holds no secret, and of others no more than their username', async () => {
    await answer(bob, await drop(ann, 'Ours'))
    await drop(bob, 'Theirs')
    const text = JSON.stringify((await server.call(exportAccount, {}, ann)).body)
    expect(text).not.toMatch(/\$argon2|token_hash|password_hash/)
    for (const secret of [bob.email, cat.email, 'Theirs', ann.session.refresh_token]) expect(text).not.toContain(secret)
  })

  it('shows a blocked person as "Blocked user", whatever their name is by now, to both', async () => {
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

  it('is for the caller alone', async () => {
    expect(await server.call(exportAccount, {})).toMatchObject(unsigned)
    const theirs = JSON.stringify((await server.call(exportAccount, {}, eve)).body)
    expect(theirs).not.toContain(ann.username)
    await erase(ann)
    expect(await server.call(exportAccount, {}, ann)).toMatchObject(unsigned)
  })
})
