import type { FeedChange, FriendshipRow } from '@hither/contract/feeds.ts'
import type { FriendshipId, UserId } from '@hither/contract/ids.ts'
import { expect, test } from 'vitest'
import { announceFriendship, subscribeToNewFriends } from './new-friends.ts'

type FriendshipChange = Extract<FeedChange, { table: 'friendships' }>

const [ann, bob] = ['ann', 'bob'] as unknown as [UserId, UserId]
const row: FriendshipRow = {
  id: 'friendship' as FriendshipId,
  requester_id: bob,
  requested_id: ann,
  requester_username: 'bob',
  requested_username: 'ann',
  requester_display_name: 'Роберт',
  requested_display_name: null,
  requester_has_image: false,
  requested_has_image: false,
  created_at: '2026-11-22T12:00:00.000Z',
}
const base = { schema: 'public', table: 'friendships', commit_timestamp: row.created_at, errors: null } as const
const inserted = { ...base, eventType: 'INSERT', new: row, old: {} } as unknown as FriendshipChange
const deleted = { ...base, eventType: 'DELETE', new: {}, old: { id: row.id } } as unknown as FriendshipChange

test('reports a friendship with the other person and who has requested it, and its end', () => {
  const events: unknown[] = []
  const unsubscribe = subscribeToNewFriends((event) => events.push(event))
  announceFriendship(inserted, bob)
  announceFriendship(inserted, ann)
  announceFriendship(deleted, ann)
  expect(events).toEqual([
    { added: { id: row.id, userId: ann, name: 'ann', isTheirRequest: false } },
    { added: { id: row.id, userId: bob, name: 'Роберт', isTheirRequest: true } },
    { removed: row.id },
  ])
  unsubscribe()
  announceFriendship(inserted, ann)
  expect(events).toHaveLength(3)
})
