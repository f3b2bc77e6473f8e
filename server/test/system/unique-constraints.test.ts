import { readFile } from 'node:fs/promises'
import { signup } from '@hither/contract/auth/auth.ts'
import { createConversation } from '@hither/contract/messages/messages.ts'
import { suspendUser } from '@hither/contract/moderation.ts'
import { listMutes, muteConversation } from '@hither/contract/notifications.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeAdmin } from '../../src/moderation/harness.ts'
import { type Person, password, startServer, type TestServer } from '../harness.ts'
import { race } from '../race.ts'

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

describe('of two concurrent calls', () => {
  it('that sign up with the same address or username, one succeeds and the other is refused', async () => {
    const signUp = (email: string, username: string) => () =>
      server.call(signup, { body: { email, username, password } })
    const statusesOf = async (...calls: ReturnType<typeof signUp>[]) =>
      (await race(server.db, (tx) => tx`lock table users in share row exclusive mode`, ...calls))
        .map(({ status }) => status)
        .sort()
    expect(await statusesOf(signUp('eve@example.org', 'eve'), signUp('EVE@example.org', 'eva'))).toEqual([201, 409])
    expect(await statusesOf(signUp('dan@example.org', 'dan'), signUp('don@example.org', 'DAN'))).toEqual([201, 409])
  })

  it('that mute one conversation on two devices, both succeed', async () => {
    const { body } = await server.call(createConversation, { body: { participant_ids: [bob.id] } }, ann)
    const mute = () =>
      server.call(muteConversation, { params: { conversationId: body.id }, body: { muted_until: null } }, ann)
    const answers = await race(server.db, (tx) => tx`lock table chat_mutes in share row exclusive mode`, mute, mute)
    for (const { status } of answers) expect(status).toBeLessThan(300)
    expect((await server.call(listMutes, {}, ann)).body).toHaveLength(1)
  })

  it('that suspend one user, neither fails', async () => {
    await makeAdmin(server, ann)
    const eve = await server.signUp('eve')
    await makeAdmin(server, bob, ann)
    const suspend = (who: Person) => () =>
      server.call(suspendUser, { params: { id: eve.id }, body: { reason: 'x' } }, who)
    const answers = await race(
      server.db,
      (tx) => tx`select id from users where id = ${eve.id} for update`,
      suspend(ann),
      suspend(bob),
    )
    for (const { status } of answers) expect(status).toBeLessThan(300)
    expect(await server.db`select user_id from suspensions`).toHaveLength(1)
  })
})

/** Every unique index that concurrent requests can conflict on, with the file and a part of the title of the test that forces the race. */
const proofs: Record<string, [file: string, title: string]> = {
  users_email_key: ['server/test/system/unique-constraints.test.ts', 'that sign up with the same address or username'],
  users_username_key: [
    'server/test/system/unique-constraints.test.ts',
    'that sign up with the same address or username',
  ],
  friend_requests_pair_key: [
    'server/src/friends/friends.races.test.ts',
    'the same request sent twice concurrently is stored once',
  ],
  friendships_pair_key: [
    'server/src/friends/friends.races.test.ts',
    'a request accepted twice concurrently makes one friendship',
  ],
  friend_link_uses_key: [
    'server/src/friend-links/friend-links.races.test.ts',
    'one person on two devices uses a link once',
  ],
  blocks_pkey: ['server/src/friends/friends.races.test.ts', 'a block sent twice concurrently is stored once'],
  ping_responses_pkey: [
    'server/src/pings/pings.concurrency.test.ts',
    'stores one response for two concurrent responses of one invitee',
  ],
  ping_guests_token_key: [
    'server/src/pings/guests/guests.races.test.ts',
    'the same token sent at the same moment is one guest',
  ],
  ping_guests_person_key: [
    'server/src/pings/guests/guests.races.test.ts',
    'an account that responds on two devices at the same moment is one guest',
  ],
  circles_name_key: ['server/src/circles/circles.races.test.ts', 'of one name on two devices make one circle'],
  circle_members_pkey: ['server/src/circles/circles.races.test.ts', 'that add the same person make one member'],
  ping_trips_pkey: ['server/src/trips/trips.races.test.ts', 'of two devices are one trip'],
  ping_trip_notices_pkey: ['server/src/trips/trips.races.test.ts', 'of two devices are one trip'],
  ping_creations_pkey: ['server/src/pings/pings.idempotency.test.ts', 'creates one ping for two concurrent requests'],
  images_user_id_key: [
    'server/src/files/files.test.ts',
    'uploaded concurrently leave one picture and the files of one',
  ],
  images_ping_id_key: [
    'server/src/files/files.test.ts',
    'uploaded concurrently leave one picture and the files of one',
  ],
  identities_pkey: ['server/src/auth/identities.test.ts', 'of one person used twice concurrently creates one account'],
  chats_ping_key: ['server/src/messages/messages.races.test.ts', 'of the chat of a ping make one conversation'],
  chats_pair_key: [
    'server/src/messages/messages.races.test.ts',
    'of a direct conversation by both users make one conversation',
  ],
  chat_members_pkey: ['server/src/messages/messages.races.test.ts', 'twice and with being added makes one membership'],
  chat_keep_requests_pkey: ['server/src/messages/keeping/keeping.races.test.ts', 'one member on two devices asks once'],
  chat_removals_pkey: ['server/src/messages/messages.races.test.ts', 'with being removed keeps the removed user out'],
  message_reactions_pkey: [
    'server/src/messages/reactions/reactions.live.test.ts',
    'of two devices at once is the last one',
  ],
  images_message_id_key: [
    'server/src/messages/photos/photos.test.ts',
    'sent twice at the same moment is in one message',
  ],
  messages_seq_key: ['server/src/messages/messages.races.test.ts', 'get consecutive positions without a gap'],
  messages_client_id_key: ['server/src/messages/messages.races.test.ts', 'with one client_id are stored once'],
  kept_keys_pkey: [
    'server/src/notifications/push/push-keys.test.ts',
    'two nodes that start concurrently use one key pair',
  ],
  push_subscriptions_session_key: [
    'server/src/notifications/push/subscriptions.test.ts',
    'belongs to one user when two send it concurrently',
  ],
  push_subscriptions_endpoint_key: [
    'server/src/notifications/push/subscriptions.test.ts',
    'belongs to one user when two send it concurrently',
  ],
  notification_preferences_pkey: [
    'server/src/notifications/preferences.test.ts',
    'changed twice concurrently lose neither change',
  ],
  chat_mutes_pkey: ['server/test/system/unique-constraints.test.ts', 'that mute one conversation on two devices'],
  admins_pkey: [
    'server/src/moderation/moderation.races.test.ts',
    'makes one admin when two users enter it concurrently',
  ],
  banners_pkey: ['server/src/moderation/banner.test.ts', 'of two administrators at once is that of the last one'],
  update_checks_pkey: ['server/test/system/update-check.test.ts', 'is made by one of several nodes'],
  suspensions_pkey: ['server/test/system/unique-constraints.test.ts', 'that suspend one user, neither fails'],
  reports_open_key: ['server/src/moderation/reports/reports.test.ts', 'made twice concurrently is stored once'],
}

/** Unique indexes without possible conflicts: the values are random, the table has one row, or a second insert changes nothing. */
const alone = [
  'admin_codes_pkey',
  'auth_challenges_pkey',
  'erasures_pkey',
  'friend_links_code_key',
  'invitations_code_key',
  'known_devices_pkey',
  'mail_tokens_pkey',
  'migrations_pkey',
  'outbox_state_single_row',
  'passkeys_credential_key',
  'ping_circles_pkey',
  'ping_place_known_by_person_key',
  'ping_recipients_ping_key',
  'place_erasure_single_row',
  'push_deliveries_tag_key',
  'recovery_codes_pkey',
  'refresh_tokens_pkey',
  'registration_pkey',
  'revoked_sessions_pkey',
  'tombstones_pkey',
]

describe('each unique index', () => {
  it('has a race test or cannot conflict', async () => {
    const rows = await server.db<{ name: string; columns: string }[]>`
      select indexname as name, indexdef as columns from pg_indexes
      where schemaname = 'public' and indexdef like 'CREATE UNIQUE%'`
    // Primary keys that the server generates cannot conflict.
    const names = rows.filter(({ columns }) => !columns.endsWith('(id)')).map(({ name }) => name)
    expect(names.sort()).toEqual([...Object.keys(proofs), ...alone].sort())
  })

  it('has its race test in the listed file', async () => {
    for (const [file, title] of Object.values(proofs))
      expect(await readFile(new URL(`../../../${file}`, import.meta.url), 'utf8'), file).toContain(title)
  })
})
