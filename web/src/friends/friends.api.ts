import type { Friend, ReceivedRequest, SentRequest } from '@hither/contract/friends.ts'
import type { FriendRequestId, UserId } from '@hither/contract/ids.ts'
import { type QueryClient, type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type After, allPages } from '../api/all-pages.ts'
import { ApiError, call } from '../api/transport.ts'
import { blockedQuery } from './blocks.api.ts'
import type { Person } from './find-people.ts'

export function friendsQuery() {
  return queryOptions({
    queryKey: ['friends', 'list'],
    queryFn: ({ signal }) =>
      allPages(
        (query: After<UserId>) => call('GET /friends/', { query }, { signal }),
        (friend) => friend.user_id,
      ),
  })
}

export function receivedRequestsQuery() {
  return queryOptions({
    queryKey: ['friends', 'received'],
    queryFn: ({ signal }) =>
      allPages(
        (query: After<FriendRequestId>) => call('GET /friends/requests/received', { query }, { signal }),
        (request) => request.id,
      ),
  })
}

export function sentRequestsQuery() {
  return queryOptions({
    queryKey: ['friends', 'sent'],
    queryFn: ({ signal }) =>
      allPages(
        (query: After<FriendRequestId>) => call('GET /friends/requests/sent', { query }, { signal }),
        (request) => request.id,
      ),
  })
}

/** Resolves to null for a user who does not exist or is hidden by a block. */
export function personQuery(userId: UserId) {
  return queryOptions({
    queryKey: ['friends', 'person', userId],
    queryFn: async ({ signal }) => {
      try {
        return await call('GET /users/:id', { params: { id: userId } }, { signal })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  })
}

/** Shared by all mutations that change friendships. */
const mutationKey = ['friends']

export function useLookupUser() {
  return useMutation({ mutationFn: (username: string) => call('POST /users/lookup', { body: { username } }) })
}

export function useSendFriendRequest() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey,
    mutationFn: (username: string) => call('POST /friends/request', { body: { username } }),
    // A request that meets one from the other user creates a friendship, so all three lists may have changed.
    onSettled: () => void refetchAll(queryClient),
  })
}

export function useAcceptFriendRequest() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey,
    mutationFn: (request: ReceivedRequest) => respond(request.id, 'accepted'),
    onMutate: (request) => removeRow(queryClient, receivedRequestsQuery().queryKey, request),
    onError: (_error, _request, rollback) => rollback?.(),
    onSettled: () => void refetchAll(queryClient),
  })
}

export function useDeclineFriendRequest() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey,
    mutationFn: (request: ReceivedRequest) => respond(request.id, 'declined'),
    onMutate: (request) => removeRow(queryClient, receivedRequestsQuery().queryKey, request),
    onError: (_error, _request, rollback) => rollback?.(),
    onSettled: () => void refetchAll(queryClient),
  })
}

export function useCancelFriendRequest() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey,
    mutationFn: (request: SentRequest) => respond(request.id, 'rejected'),
    onMutate: (request) => removeRow(queryClient, sentRequestsQuery().queryKey, request),
    onError: (_error, _request, rollback) => rollback?.(),
    onSettled: () => void refetchAll(queryClient),
  })
}

export function useRemoveFriend() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey,
    mutationFn: (friend: Pick<Friend, 'id'>) => call('DELETE /friends/:id', { params: { id: friend.id } }),
    onMutate: (friend) => removeRow(queryClient, friendsQuery().queryKey, friend),
    onError: (_error, _friend, rollback) => rollback?.(),
    onSettled: () => void refetchAll(queryClient),
  })
}

/** A blocked user is removed from all three lists. */
export function useBlockUser() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey,
    mutationFn: ({ username }: Person) => call('POST /friends/block/:username', { params: { username } }),
    onMutate: async ({ user_id: userId }) => {
      const rollbacks = await Promise.all([
        removeWhere<Friend>(queryClient, friendsQuery().queryKey, ({ user_id }) => user_id === userId),
        removeWhere<ReceivedRequest>(
          queryClient,
          receivedRequestsQuery().queryKey,
          ({ requester_id }) => requester_id === userId,
        ),
        removeWhere<SentRequest>(
          queryClient,
          sentRequestsQuery().queryKey,
          ({ requested_id }) => requested_id === userId,
        ),
      ])
      return () => {
        for (const rollback of rollbacks) rollback?.()
      }
    },
    onError: (_error, _person, rollback) => rollback?.(),
    onSettled: () => {
      void refetchAll(queryClient)
      void queryClient.invalidateQueries({ queryKey: blockedQuery().queryKey })
      // What the server leaves out for a blocked user is not shown any longer, also if it cannot be fetched again now.
      void queryClient.resetQueries({ predicate: ({ meta }) => meta?.['leavesOutBlocked'] === true })
    },
  })
}

function respond(id: FriendRequestId, action: 'accepted' | 'declined' | 'rejected') {
  return call('PATCH /friends/:id/respond', { params: { id }, body: { action } })
}

async function removeWhere<T extends { id: string }>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  isMeant: (row: T) => boolean,
) {
  const row = queryClient.getQueryData<T[]>(queryKey)?.find(isMeant)
  return row && removeRow(queryClient, queryKey, row)
}

/** Removes one row of a list at once. The returned function restores it in its former position. */
async function removeRow<T extends { id: string }>(queryClient: QueryClient, queryKey: QueryKey, row: T) {
  await queryClient.cancelQueries({ queryKey })
  const index = queryClient.getQueryData<T[]>(queryKey)?.findIndex(({ id }) => id === row.id) ?? -1
  queryClient.setQueryData<T[]>(queryKey, (rows) => rows?.filter(({ id }) => id !== row.id))
  return () => {
    if (index < 0) return
    queryClient.setQueryData<T[]>(queryKey, (rows) =>
      rows?.some(({ id }) => id === row.id) ? rows : rows?.toSpliced(index, 0, row),
    )
  }
}

/** Skipped while another mutation is in progress, because the response could contain a row that it has just removed. */
function refetchAll(queryClient: QueryClient) {
  if (queryClient.isMutating({ mutationKey }) > 1) return
  return Promise.all(
    [friendsQuery(), receivedRequestsQuery(), sentRequestsQuery()].map(({ queryKey }) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
}
