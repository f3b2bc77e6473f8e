import type { FeedChange, FriendRequestRow, FriendshipRow } from '@hither/contract/feeds.ts'
import type { FriendRequestId, FriendshipId, UserId } from '@hither/contract/ids.ts'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, test } from 'vitest'
import { friendsQuery, receivedRequestsQuery, sentRequestsQuery } from './friends.api.ts'
import { applyFriendRequestChange, applyFriendshipChange, applyUserChange } from './friends.live.ts'

type ChangeOf<T extends FeedChange['table']> = Extract<FeedChange, { table: T }>

const ann = 'ann' as UserId
const bob = 'bob' as UserId
const eve = 'eve' as UserId
const at = '2026-11-21T12:00:00.000Z'

const friendship: FriendshipRow = {
  id: 'f1' as FriendshipId,
  requester_id: bob,
  requested_id: ann,
  requester_username: 'bob',
  requested_username: 'ann',
  requester_display_name: null,
  requested_display_name: null,
  requester_has_image: true,
  requested_has_image: false,
  created_at: at,
}
const request: FriendRequestRow = {
  id: 'q1' as FriendRequestId,
  from_user_id: bob,
  to_user_id: ann,
  from_username: 'bob',
  to_username: 'ann',
  from_display_name: null,
  to_display_name: null,
  from_has_image: true,
  to_has_image: false,
  status: 'pending',
  created_at: at,
}

let queryClient: QueryClient

beforeEach(() => {
  queryClient = new QueryClient()
  queryClient.setQueryData(friendsQuery().queryKey, [])
  queryClient.setQueryData(receivedRequestsQuery().queryKey, [])
  queryClient.setQueryData(sentRequestsQuery().queryKey, [])
})

const friends = () => queryClient.getQueryData(friendsQuery().queryKey)
const received = () => queryClient.getQueryData(receivedRequestsQuery().queryKey)
const sent = () => queryClient.getQueryData(sentRequestsQuery().queryKey)

describe('a friendship', () => {
  const insert: ChangeOf<'friendships'> = { table: 'friendships', eventType: 'INSERT', new: friendship, old: {} }

  test('adds each user to the list of the other, once', () => {
    applyFriendshipChange(queryClient, insert, ann)
    applyFriendshipChange(queryClient, insert, ann)
    expect(friends()).toEqual([
      {
        id: 'f1',
        user_id: bob,
        username: 'bob',
        display_name: null,
        has_image: true,
        is_online: false,
        created_at: at,
      },
    ])

    queryClient.setQueryData(friendsQuery().queryKey, [])
    applyFriendshipChange(queryClient, insert, bob)
    expect(friends()).toMatchObject([{ user_id: ann, username: 'ann', has_image: false }])
  })

  test('that is announced again keeps the friend online', () => {
    applyFriendshipChange(queryClient, insert, ann)
    applyUserChange(queryClient, userChange({ is_online: true }))
    applyFriendshipChange(queryClient, insert, ann)
    expect(friends()).toMatchObject([{ is_online: true }])
  })

  test('that ends is removed, also if the change arrives twice', () => {
    applyFriendshipChange(queryClient, insert, ann)
    const end: ChangeOf<'friendships'> = {
      table: 'friendships',
      eventType: 'DELETE',
      new: {},
      old: { id: friendship.id },
    }
    applyFriendshipChange(queryClient, end, ann)
    applyFriendshipChange(queryClient, end, ann)
    expect(friends()).toEqual([])
  })

  test('is inserted in the order of names', () => {
    const second = { ...friendship, id: 'f2' as FriendshipId, requester_id: eve, requester_username: 'Abe' }
    applyFriendshipChange(queryClient, insert, ann)
    applyFriendshipChange(queryClient, { ...insert, new: second }, ann)
    expect(friends()?.map(({ username }) => username)).toEqual(['Abe', 'bob'])
  })

  test('does not create a list that is not cached', () => {
    queryClient.removeQueries({ queryKey: friendsQuery().queryKey })
    applyFriendshipChange(queryClient, insert, ann)
    expect(friends()).toBeUndefined()
  })
})

describe('a friend request', () => {
  const insert: ChangeOf<'friend_requests'> = { table: 'friend_requests', eventType: 'INSERT', new: request, old: {} }

  test('is added to the received requests of its recipient, once', () => {
    applyFriendRequestChange(queryClient, insert, ann)
    applyFriendRequestChange(queryClient, insert, ann)
    expect(received()).toEqual([
      {
        id: 'q1',
        requester_id: bob,
        requester_username: 'bob',
        requester_display_name: null,
        has_image: true,
        created_at: at,
      },
    ])
    expect(sent()).toEqual([])
  })

  test('is added to the sent requests of its sender', () => {
    applyFriendRequestChange(queryClient, insert, bob)
    expect(sent()).toEqual([
      {
        id: 'q1',
        requested_id: ann,
        requested_username: 'ann',
        requested_display_name: null,
        has_image: false,
        created_at: at,
      },
    ])
    expect(received()).toEqual([])
  })

  test.each(['accepted', 'rejected'] as const)('that was %s is removed', (status) => {
    applyFriendRequestChange(queryClient, insert, ann)
    const answered: ChangeOf<'friend_requests'> = { ...insert, eventType: 'UPDATE', new: { ...request, status } }
    applyFriendRequestChange(queryClient, answered, ann)
    applyFriendRequestChange(queryClient, answered, ann)
    expect(received()).toEqual([])
  })

  test('that was deleted is removed', () => {
    applyFriendRequestChange(queryClient, insert, bob)
    applyFriendRequestChange(
      queryClient,
      { table: 'friend_requests', eventType: 'DELETE', new: {}, old: { id: request.id } },
      bob,
    )
    expect(sent()).toEqual([])
  })

  test('the newest comes first', () => {
    const later = { ...request, id: 'q2' as FriendRequestId, from_user_id: eve, created_at: '2026-11-21T13:00:00.000Z' }
    applyFriendRequestChange(queryClient, insert, ann)
    applyFriendRequestChange(queryClient, { ...insert, new: later }, ann)
    expect(received()?.map(({ id }) => id)).toEqual(['q2', 'q1'])
  })
})

function userChange(change: Partial<ChangeOf<'users'>['new']>): ChangeOf<'users'> {
  const row = { id: bob, username: 'bob', display_name: null, has_image: true, is_online: false, ...change }
  return { table: 'users', eventType: 'UPDATE', new: row, old: { id: bob } }
}
