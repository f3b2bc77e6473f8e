import { readFile } from 'node:fs/promises'
import { signup } from '@hither/contract/auth.ts'
import { createConversation } from '@hither/contract/messages.ts'
import { suspendUser } from '@hither/contract/moderation.ts'
import { listMutes, muteConversation } from '@hither/contract/notifications.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { race } from '../../test/race.ts'
import { makeAdmin } from '../moderation/harness.ts'

let server: TestServer
let ann: Person
let bob: Person

beforeEach(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
  await server.befriend(ann, bob)
})

afterEach(() => server.close())

describe('of two at once', () => {
  it('who sign up with one address, or under one name, one gets it and the other a refusal', async () => {
    const signUp = (email: string, username: string) => () =>
      server.call(signup, { body: { email, username, password } })
    const statusesOf = async (...calls: ReturnType<typeof signUp>[]) =>
      (await race(server.db, (db) => db`lock table users in share row exclusive mode`, ...calls))
        .map(({ status }) => status)
        .sort()
    expect(await statusesOf(signUp('eve@example.org', 'eve'), signUp('EVE@example.org', 'eva'))).toEqual([201, 409])
    expect(await statusesOf(signUp('dan@example.org', 'dan'), signUp('don@example.org', 'DAN'))).toEqual([201, 409])
  })

  it('who mute one conversation, on two devices, both have muted it', async () => {
    const { body } = await server.call(createConversation, { body: { participant_ids: [bob.id] } }, ann)
    const mute = () =>
      server.call(muteConversation, { params: { conversationId: body.id }, body: { muted_until: null } }, ann)
    const answers = await race(server.db, (db) => db`lock table chat_mutes in share row exclusive mode`, mute, mute)
    for (const { status } of answers) expect(status).toBeLessThan(300)
    expect((await server.call(listMutes, {}, ann)).body).toHaveLength(1)
  })

  it('admins who suspend one person, neither fails', async () => {
    await makeAdmin(server, ann)
    const eve = await server.signUp('eve')
    await makeAdmin(server, bob, ann)
    const suspend = (who: Person) => () =>
      server.call(suspendUser, { params: { id: eve.id }, body: { reason: 'x' } }, who)
    const answers = await race(
      server.db,
      (db) => db`select id from users where id = ${eve.id} for update`,
      suspend(ann),
      suspend(bob),
    )
    for (const { status } of answers) expect(status).toBeLessThan(300)
    expect(await server.db`select user_id from suspensions`).toHaveLength(1)
  })
})

/** Each unique thing whose name somebody chooses or several may make, and the test in which two make it at once. */
const proofs: Record<string, [file: string, title: string]> = {
  users_email_key: ['platform/unique.test.ts', 'who sign up with one address, or under one name'],
  users_username_key: ['platform/unique.test.ts', 'who sign up with one address, or under one name'],
  friend_requests_pair_key: ['friends/friends.races.test.ts', 'the same request sent twice at once is one request'],
  friendships_pair_key: ['friends/friends.races.test.ts', 'a request accepted twice at once makes one friendship'],
  blocks_pkey: ['friends/friends.races.test.ts', 'a block sent twice at once is one block'],
  ping_responses_pkey: ['pings/pings.at-once.test.ts', 'two answers of one guest at once are one answer'],
  ping_creations_pkey: ['pings/pings.repeated.test.ts', 'is one ping where both come at once'],
  images_user_id_key: ['files/files.test.ts', 'that come at once leave one, and the files of one'],
  images_ping_id_key: ['files/files.test.ts', 'that come at once leave one, and the files of one'],
  identities_pkey: ['auth/identities.test.ts', 'of one person twice at once makes one account'],
  chats_ping_key: ['messages/messages.races.test.ts', 'the chat of a ping is one'],
  chats_pair_key: ['messages/messages.races.test.ts', 'by each of the two, a direct conversation is one'],
  chat_members_pkey: ['messages/messages.races.test.ts', 'twice at once, and being added meanwhile, is once'],
  chat_removals_pkey: ['messages/messages.races.test.ts', 'and being removed: whoever was removed stays out'],
  messages_seq_key: ['messages/messages.races.test.ts', 'each gets a place of its own, without a gap'],
  messages_client_id_key: ['messages/messages.races.test.ts', 'with one client_id one is the other'],
  kept_keys_pkey: ['notifications/push-keys.test.ts', 'two nodes that start at once find one pair'],
  push_subscriptions_session_key: [
    'notifications/subscriptions.test.ts',
    'goes to one person though two name it at once',
  ],
  push_subscriptions_endpoint_key: [
    'notifications/subscriptions.test.ts',
    'goes to one person though two name it at once',
  ],
  notification_preferences_pkey: [
    'notifications/preferences.test.ts',
    'that are changed twice at once lose neither change',
  ],
  chat_mutes_pkey: ['platform/unique.test.ts', 'who mute one conversation, on two devices'],
  admins_pkey: ['moderation/moderation.races.test.ts', 'entered by two at once makes one of them admin'],
  suspensions_pkey: ['platform/unique.test.ts', 'admins who suspend one person, neither fails'],
  reports_open_key: ['moderation/reports.test.ts', 'made twice at once is one'],
}

/** Nobody chooses these: they are random, the only row of their table, or put where a second one changes nothing. */
const alone = [
  'admin_codes_pkey',
  'erasures_pkey',
  'invitations_code_key',
  'known_devices_pkey',
  'mail_tokens_pkey',
  'migrations_pkey',
  'outbox_state_single_row',
  'ping_recipients_ping_key',
  'push_deliveries_tag_key',
  'refresh_tokens_pkey',
  'registration_pkey',
  'revoked_sessions_pkey',
  'tombstones_pkey',
]

describe('each unique thing', () => {
  it('is raced for by a test, or cannot be', async () => {
    const rows = await server.db<{ name: string; columns: string }[]>`
      select indexname as name, indexdef as columns from pg_indexes
      where schemaname = 'public' and indexdef like 'CREATE UNIQUE%'`
    // The server makes ids at random.
    const names = rows.filter(({ columns }) => !columns.endsWith('(id)')).map(({ name }) => name)
    expect(names.sort()).toEqual([...Object.keys(proofs), ...alone].sort())
  })

  it('has its test where it is said to be', async () => {
    for (const [file, title] of Object.values(proofs))
      expect(await readFile(new URL(`../${file}`, import.meta.url), 'utf8'), file).toContain(title)
  })
})
