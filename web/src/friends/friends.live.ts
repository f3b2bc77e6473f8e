import type { FeedChange, FriendRequestRow, FriendshipRow } from '@hither/contract/feeds.ts'
import type { Friend, ReceivedRequest, SentRequest } from '@hither/contract/friends.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { QueryClient } from '@tanstack/react-query'
import { friendsQuery, receivedRequestsQuery, sentRequestsQuery } from './friends.api.ts'

type ChangeOf<T extends FeedChange['table']> = Extract<FeedChange, { table: T }>

/** Applies a change to the cached friends. A list that is not cached is not created. */
export function applyFriendshipChange(queryClient: QueryClient, change: ChangeOf<'friendships'>, viewerId: UserId) {
  const { queryKey } = friendsQuery()
  if (change.eventType === 'DELETE') {
    queryClient.setQueryData(queryKey, (friends) => friends?.filter(({ id }) => id !== change.old.id))
    return
  }
  const friend = friendOf(change.new, viewerId)
  queryClient.setQueryData(queryKey, (friends) => {
    if (friends === undefined) return undefined
    const known = friends.find(({ id }) => id === friend.id)
    const others = friends.filter(({ id }) => id !== friend.id)
    return [...others, { ...friend, is_online: known?.is_online ?? false }].sort(byUsername)
  })
}

export function applyFriendRequestChange(
  queryClient: QueryClient,
  change: ChangeOf<'friend_requests'>,
  viewerId: UserId,
) {
  const id = change.eventType === 'DELETE' ? change.old.id : change.new.id
  const pending = change.eventType !== 'DELETE' && change.new.status === 'pending' ? change.new : null

  queryClient.setQueryData(receivedRequestsQuery().queryKey, (requests) =>
    replace(requests, id, pending?.to_user_id === viewerId ? receivedOf(pending) : null),
  )
  queryClient.setQueryData(sentRequestsQuery().queryKey, (requests) =>
    replace(requests, id, pending?.from_user_id === viewerId ? sentOf(pending) : null),
  )
}

/** Updates the presence and the order of the friends. Their names and images are updated as all copies are. */
export function applyUserChange(queryClient: QueryClient, change: ChangeOf<'users'>) {
  if (change.eventType === 'DELETE') return
  const { id, is_online } = change.new
  queryClient.setQueryData(friendsQuery().queryKey, (friends) =>
    friends?.map((friend) => (friend.user_id === id ? { ...friend, is_online } : friend)).sort(byUsername),
  )
}

function friendOf(row: FriendshipRow, viewerId: UserId): Omit<Friend, 'is_online'> {
  const { id, created_at } = row
  return row.requester_id === viewerId
    ? {
        id,
        user_id: row.requested_id,
        username: row.requested_username,
        display_name: row.requested_display_name,
        has_image: row.requested_has_image,
        created_at,
      }
    : {
        id,
        user_id: row.requester_id,
        username: row.requester_username,
        display_name: row.requester_display_name,
        has_image: row.requester_has_image,
        created_at,
      }
}

function receivedOf(row: FriendRequestRow): ReceivedRequest {
  return {
    id: row.id,
    requester_id: row.from_user_id,
    requester_username: row.from_username,
    requester_display_name: row.from_display_name,
    has_image: row.from_has_image,
    created_at: row.created_at,
  }
}

function sentOf(row: FriendRequestRow): SentRequest {
  return {
    id: row.id,
    requested_id: row.to_user_id,
    requested_username: row.to_username,
    requested_display_name: row.to_display_name,
    has_image: row.to_has_image,
    created_at: row.created_at,
  }
}

/**
 * Returns the list with the former version of a row replaced by the new one, newest first. Returns the same list if
 * nothing changes.
 */
function replace<T extends { id: string; created_at: string }>(
  rows: T[] | undefined,
  id: string | undefined,
  row: T | null,
) {
  if (rows === undefined) return undefined
  if (row === null && !rows.some((other) => other.id === id)) return rows
  const others = rows.filter((other) => other.id !== id)
  return row === null ? others : [...others, row].sort((a, b) => b.created_at.localeCompare(a.created_at))
}

function byUsername(a: Friend, b: Friend) {
  return a.username.localeCompare(b.username, undefined, { sensitivity: 'base' })
}
