import type { FriendshipId, PingId, RecipientId, UserId } from '@hither/contract/ids.ts'
import type { AnonymousPing, InvitedPing, OwnPing, PublicPing } from '@hither/contract/pings.ts'
import { describe, expect, test } from 'vitest'
import { ann, at, bob, groupOf, lastFrom, messageFrom, summaryOf } from '../chat/harness.ts'
import { isOfContract } from './stored-shapes.ts'

const shown = {
  id: 'p1' as PingId,
  can_respond: true,
  username: 'bob',
  display_name: null,
  name: 'Coffee at Nero',
  is_unnamed: false,
  latitude: 40.7589,
  longitude: -73.9851,
  address: null,
  created_at: at(0),
  activates_at: null,
  expires_at: at(30),
  status: 'active',
  is_public: true,
  has_image: false,
  guest_policy: 'off',
  updated_at: at(0),
  revision: 0,
  place_revision: 0,
  time_revision: 0,
  canceled_at: null,
  cancel_message: null,
  place_radius_m: null,
  exact_place_for: 'everyone',
  area_km: 1,
} as const
const signedIn = {
  ...shown,
  user_id: bob,
  user_has_image: false,
  message: null,
  responses_visible: true,
  conversation_id: null,
} as const
const invited: InvitedPing = {
  ...signedIn,
  access: 'invitee',
  recipients: [{ id: 'r1' as RecipientId, recipient_id: ann, recipient_username: 'ann', recipient_display_name: null }],
  responses: [],
  guests: [],
  trips: [],
}
const audience = { circle_ids: [], recipient_ids: [], former_friend_count: 0 }
const own: OwnPing = { ...invited, access: 'owner', invited_all: true, audience, place_known_by: [] }
const linked: PublicPing = { ...signedIn, access: 'link', guest: null, response_counts: { accepted: 1, tentative: 0 } }
const visited: AnonymousPing = { ...shown, access: 'visitor', avatar_color: 3 }
const friend = {
  id: 'f1' as FriendshipId,
  user_id: 'eve' as UserId,
  username: 'eve',
  display_name: 'Eve',
  has_image: false,
  is_online: true,
  created_at: at(0),
}
const open = {
  conversation: groupOf(ann, bob),
  messages: [messageFrom(bob, 1)],
  hasMore: false,
  lastSeq: 1,
  erased: [],
  window: null,
}

const answers = [
  { key: ['pings', 'list'], rows: [invited, own] },
  { key: ['pings', 'mine'], rows: [own] },
  { key: ['friends', 'list'], rows: [friend] },
  { key: ['chat', 'list'], rows: [summaryOf({ last_message: lastFrom(bob, 1) })] },
]
const records = [
  ...[own, invited, linked, visited].map((data) => ({ key: ['pings', 'one', 'p1'], data })),
  { key: ['chat', 'one', 'cafe'], data: open },
]

describe('stored answers of the shape of the contract are accepted:', () => {
  test.each(answers)('$key', ({ key, rows }) => {
    expect(isOfContract(key, rows)).toBe(true)
    expect(isOfContract(key, [])).toBe(true)
  })
  test.each(records)('$key $data.access', ({ key, data }) => {
    expect(isOfContract(key, data)).toBe(true)
    expect(isOfContract(key, null)).toBe(true)
  })
  test('with fields that a newer server added', () => {
    expect(isOfContract(['friends', 'list'], [{ ...friend, mood: 'good' }])).toBe(true)
  })
})

describe('stored answers without one of the fields of the contract are rejected:', () => {
  test.each(answers)('$key', ({ key, rows }) => {
    for (const row of rows) for (const broken of withoutEach(row)) expect(isOfContract(key, [row, broken])).toBe(false)
  })
  test.each(records)('$key $data.access', ({ key, data }) => {
    for (const broken of withoutEach(data)) expect(isOfContract(key, broken)).toBe(false)
  })
})

test('a stored ping whose access is unknown, or not one of the list, is rejected', () => {
  expect(isOfContract(['pings', 'list'], [{ ...own, access: 'friend' }])).toBe(false)
  expect(isOfContract(['pings', 'mine'], [invited])).toBe(false)
  expect(isOfContract(['pings', 'one', 'p1'], { ...visited, access: 'owner' })).toBe(false)
})

test('stored answers of another kind, or to a query that is unknown, are rejected', () => {
  for (const data of [undefined, null, 'text', 7, {}, [null], [7]])
    expect(isOfContract(['friends', 'list'], data)).toBe(false)
  expect(isOfContract(['friends', 'list'], [{ ...friend, username: 7 }])).toBe(false)
  expect(
    isOfContract(['chat', 'one', 'cafe'], { ...open, messages: [{ ...messageFrom(bob, 1), content: null }] }),
  ).toBe(false)
  expect(isOfContract(['unknown', 'list'], [])).toBe(false)
})

function withoutEach(row: object): object[] {
  return Object.keys(row).map((name) => Object.fromEntries(Object.entries(row).filter(([other]) => other !== name)))
}
