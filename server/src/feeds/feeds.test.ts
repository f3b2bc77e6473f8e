import { createCircle } from '@hither/contract/circles.ts'
import { type FeedName, feedNames } from '@hither/contract/feeds.ts'
import { listFriends, removeFriend, sendFriendRequest } from '@hither/contract/friends.ts'
import { createGuest } from '@hither/contract/guests.ts'
import type { ConversationId, MessageId, PingId, UserId } from '@hither/contract/ids.ts'
import {
  createConversation,
  markConversationRead,
  renameConversation,
  sendMessage,
} from '@hither/contract/messages/messages.ts'
import { setReaction } from '@hither/contract/messages/reactions.ts'
import { changePing, createPing, respondToPing } from '@hither/contract/pings.ts'
import { shareTrip } from '@hither/contract/trips.ts'
import { updateUser } from '@hither/contract/users.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Listener, type Person, startServer, type TestServer } from '../../test/harness.ts'
import { race } from '../../test/race.ts'
import { replays } from '../backups/replay.service.ts'
import type { Announce } from '../events/changes.ts'
import {
  type FeedDeclaration,
  type FeedDeclarations,
  limitAudience,
  type OrderingGroup,
} from '../events/feed-declaration.ts'
import type { Tx } from '../platform/db/database.ts'
import { feeds } from './feeds.ts'

let server: TestServer
let ann: Person
let bob: Person
let cat: Person
let pingId: PingId
let groupId: ConversationId
let messageId: MessageId
let listener: Listener

beforeAll(async () => {
  server = await startServer()
  ann = await server.signUp('ann')
  bob = await server.signUp('bob')
  cat = await server.signUp('cat')
  await server.befriend(ann, bob)
  await server.befriend(ann, cat)
  const ping = {
    ...{ name: 'Ours', latitude: 45.5, longitude: -122.6, duration_minutes: 30 as const },
    ...{ is_public: true, guest_policy: 'open' as const },
  }
  pingId = (await server.call(createPing, { body: ping }, ann)).body.id
  const group = { participant_ids: [bob.id, cat.id], name: 'Ours' }
  groupId = (await server.call(createConversation, { body: group }, ann)).body.id
  const text = { conversation_id: groupId, content: 'Hello' }
  messageId = (await server.call(sendMessage, { body: text }, ann)).body.message.id
  listener = await server.listen(bob, feedNames)
})

afterAll(() => server.close())

/** The tables that store no rows of a feed. A new table belongs here or has a declaration. */
const otherTables = [
  'admin_actions',
  'admin_codes',
  'admins',
  'auth_challenges',
  'banners',
  'blocks',
  'chat_keep_requests',
  'chat_mutes',
  'chat_removals',
  'chats',
  'circle_members',
  'deliveries',
  'erasures',
  'friend_link_uses',
  'friend_links',
  'identities',
  'images',
  'invitations',
  'kept_keys',
  'known_devices',
  'mail_tokens',
  'migrations',
  'notification_preferences',
  'outbox',
  'outbox_state',
  'passkeys',
  'ping_chat_leavers',
  'ping_circles',
  'ping_creations',
  'ping_place_known_by',
  'ping_recipients',
  'ping_trip_notices',
  'place_erasure',
  'push_deliveries',
  'push_subscriptions',
  'recovery_codes',
  'refresh_tokens',
  'registration',
  'reports',
  'revoked_sessions',
  'security_events',
  'sessions',
  'signups',
  'suspensions',
  'tombstones',
  'update_checks',
]

/** Backups contain no rows of these tables, see `trips.test.ts` of backups. */
const notInBackups = ['ping_trips']

describe('the declaration of a feed', () => {
  it('exists for every table of the database that stores live rows', async () => {
    const found = await server.db<{ name: string }[]>`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`
    const feedTables = new Set<string>(Object.values(feeds).map(({ table }) => table))
    expect(found.map(({ name }) => name).sort()).toEqual([...feedTables, ...otherTables].sort())
  })

  it.each(feedNames)('names the row of another feed with which a row of %s is deleted', async (feed) => {
    const { table, parent } = feeds[feed]
    const targets = (await foreignKeysOf(table)).map(({ target }) => target)
    const feedTables = new Set<string>(feedNames.filter((name) => name !== 'users' && name !== feed))
    expect(targets.filter((target) => feedTables.has(target))).toEqual(parent ? [parent.feed] : [])
  })

  it.each(feedNames)('states what the deletion of an account does to the rows of %s', async (feed) => {
    const { table, erasure } = feeds[feed]
    const toUsers = (await foreignKeysOf(table)).filter(({ target }) => target === 'users')
    const isAnonymized = toUsers.some(({ on_delete }) => on_delete === 'set null')
    expect(erasure.withAccount).toBe(isAnonymized ? 'anonymizes' : 'deletes')
  })

  it.each(feedNames)('states what a restore does to deleted rows of %s', async (feed) => {
    const { table, parent, erasure } = feeds[feed]
    const hasTombstones = (await listTablesWithTombstones()).includes(table)
    const otherwise = notInBackups.includes(table) ? 'not in backups' : parent ? 'erased with parent' : 'restored'
    expect(erasure.inRestore).toBe(hasTombstones ? 'erased by tombstone' : otherwise)
  })

  it('leaves no recorded deletion that a restore does not repeat', async () => {
    expect(Object.keys(replays).sort()).toEqual(
      [...(await listTablesWithTombstones()), 'passwords', 'ping_places'].sort(),
    )
  })

  it('does not compile if it is missing, incomplete, or names a column or a parent that does not exist', () => {
    const { chats, ...others } = feeds
    const { erasure: _, ...incomplete } = chats
    const wrong = [
      // @ts-expect-error A feed without a declaration.
      others satisfies FeedDeclarations,
      // @ts-expect-error The erasure is missing.
      incomplete satisfies FeedDeclaration<'chats'>,
      // @ts-expect-error The audience is one of another feed.
      { ...chats, audience: feeds.messages.audience } satisfies FeedDeclaration<'chats'>,
      // @ts-expect-error The feed has no such column.
      { ...feeds.messages, parent: { feed: 'chats', column: 'chat_id' } } satisfies FeedDeclaration<'messages'>,
      // @ts-expect-error The rows of this feed have no id.
      { ...chats, parent: { feed: 'ping_responses', column: 'id' } } satisfies FeedDeclaration<'chats'>,
    ]
    expect(wrong).toBeTypeOf('object')
  })
})

describe('the audience of a change', () => {
  it('comes from the rule of its feed: other lists of users do not compile', () => {
    const row = { id: ann.id, username: 'ann', display_name: null, has_image: false, is_online: false }
    const calls = (announce: Announce) => {
      announce.insert('users', row, feeds.users.audience({ id: ann.id, friendIds: [bob.id] }))
      // @ts-expect-error Nothing says that these users may see the row.
      announce.insert('users', row, [ann.id, bob.id])
      // @ts-expect-error The audience is one of another feed.
      announce.delete('users', row, feeds.chats.audience({ user_id: ann.id }))
    }
    expect(calls).toBeTypeOf('function')
  })

  it('contains nobody else after it was limited', () => {
    const audience = feeds.users.audience({ id: ann.id, friendIds: [bob.id] })
    expect(limitAudience(audience, [cat.id, bob.id])).toEqual([bob.id])
  })
})

const guest = { token: 'A'.repeat(43), name: 'Mia', response_type: 'accepted' } as const

/** For each feed, a request that changes a row which bob sees. */
const writes: { readonly [F in FeedName]: () => Promise<unknown> } = {
  users: () => server.call(updateUser, { params: { id: ann.id }, body: { username: 'anna' } }, ann),
  friend_requests: () => server.call(sendFriendRequest, { body: { username: bob.username } }, cat),
  friendships: async () => {
    const friends = (await server.call(listFriends, {}, ann)).body
    const friend = friends.find(({ username }) => username === bob.username)
    return friend && server.call(removeFriend, { params: { id: friend.id } }, ann)
  },
  location_pins: () => server.call(changePing, { params: { id: pingId }, body: { extend_minutes: 15 } }, ann),
  ping_guests: () => server.call(createGuest, { params: { id: pingId }, body: guest }),
  ping_responses: () => server.call(respondToPing, { body: { ping_id: pingId, response_type: 'accepted' } }, bob),
  ping_trips: () => server.call(shareTrip, { params: { id: pingId }, body: { eta_minutes: 10 } }, bob),
  messages: () => server.call(sendMessage, { body: { conversation_id: groupId, content: 'Hello' } }, ann),
  message_reactions: () => server.call(setReaction, { params: { id: messageId }, body: { emoji: '👍' } }, bob),
  message_read_receipts: () => server.call(markConversationRead, { params: { id: groupId } }, bob),
  chats: () => server.call(renameConversation, { params: { id: groupId }, body: { name: 'Theirs' } }, ann),
  circles: () => server.call(createCircle, { body: { name: 'Close friends', member_ids: [ann.id] } }, bob),
}

describe('a change of a feed', () => {
  // The friendship ends last, because bob sees the other rows through it.
  const order = feedNames.toSorted((a, b) => Number(a === 'friendships') - Number(b === 'friendships'))
  it.each(order)('waits for the lock of its ordering group: %s', async (feed) => {
    const before = listener.received.length
    await race(server.db, locks[feeds[feed].orderedBy], writes[feed])
    await listener.until((change) => change.table === feed && listener.received.indexOf(change) >= before)
  })
})

const locks: { readonly [G in OrderingGroup]: (tx: Tx) => Promise<unknown> } = {
  users: (tx) => tx`select id from users where id in (${ann.id}, ${bob.id}) order by id for update`,
  'ping owner': (tx) => tx`select id from users where id = ${ann.id} for update`,
  conversation: (tx) => tx`select id from chats where id = ${groupId} for update`,
}

const people = ['ann', 'bob', 'cat', 'dan', 'eve'] as UserId[]
const somePeople = fc.uniqueArray(fc.constantFrom(...people))

describe('the audience of a response', () => {
  it('is the owner, the author and the invitees if they may see responses, and empty for a former invitee', () => {
    fc.assert(
      fc.property(somePeople, fc.constantFrom(...people), fc.boolean(), (invitee_ids, user_id, responses_visible) => {
        const owner = 'owner' as UserId
        const audience = new Set(
          feeds.ping_responses.audience(
            { user_id },
            { user_id: owner, responses_visible, invitee_ids, blocked_pairs: [] },
          ),
        )
        if (!invitee_ids.includes(user_id)) expect(audience).toEqual(new Set())
        else expect(audience).toEqual(new Set([owner, ...(responses_visible ? invitee_ids : [user_id])]))
      }),
    )
  })
})

describe('the audience of a trip', () => {
  const some = fc.record({ going_ids: somePeople, hidden_from: somePeople, responses_visible: fc.boolean() })

  it('is the traveler and the owner, and those who are going without a block if they may see responses', () => {
    fc.assert(
      fc.property(some, fc.constantFrom(...people), (ping, user_id) => {
        const owner = 'owner' as UserId
        const audience = new Set(feeds.ping_trips.audience({ user_id }, { ...ping, user_id: owner }))
        const others = ping.going_ids.filter((id) => ping.responses_visible && !ping.hidden_from.includes(id))
        if (!ping.going_ids.includes(user_id)) expect(audience).toEqual(new Set())
        else expect(audience).toEqual(new Set([owner, user_id, ...others]))
      }),
    )
  })
})

it('excludes from the audience of a response users who have blocked its author or whom its author has blocked', () => {
  const [ann, bob, cat, dan] = ['ann', 'bob', 'cat', 'dan'] as UserId[] as [UserId, UserId, UserId, UserId]
  const ping = { user_id: ann, responses_visible: true, invitee_ids: [bob, cat, dan] }
  expect(feeds.ping_responses.audience({ user_id: bob }, { ...ping, blocked_pairs: [[cat, bob]] })).toEqual([
    ann,
    bob,
    dan,
  ])
  expect(
    feeds.ping_responses.audience(
      { user_id: bob },
      {
        ...ping,
        blocked_pairs: [
          [bob, cat],
          [cat, dan],
        ],
      },
    ),
  ).toEqual([ann, bob, dan])
})

async function foreignKeysOf(table: string) {
  return server.db<{ target: string; on_delete: 'cascade' | 'set null' | 'other' }[]>`
    select confrelid::regclass::text as target,
      case confdeltype when 'c' then 'cascade' when 'n' then 'set null' else 'other' end as on_delete
    from pg_constraint where contype = 'f' and conrelid = ${table}::text::regclass`
}

/** The tables with a trigger that records deletions for a restore. */
async function listTablesWithTombstones(): Promise<string[]> {
  const found = await server.db<{ name: string }[]>`
    select tgrelid::regclass::text as name from pg_trigger where tgname like '%\\_remember\\_erased' order by name`
  return found.map(({ name }) => name)
}
