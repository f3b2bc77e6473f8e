import {
  blockUser,
  type Friend,
  listFriends,
  listReceivedRequests,
  listSentRequests,
  type ReceivedRequest,
  removeFriend,
  respondToFriendRequest,
  type SentRequest,
  sendFriendRequest,
} from '@hither/contract/friends.ts'
import { type FriendRequestId, type UserId } from '@hither/contract/ids.ts'
import { lookupUser } from '@hither/contract/users.ts'
import { type QueryClient, type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/transport.ts'
import { blockedQuery } from '../profile/profile.api.ts'

export function friendsQuery() {
  return queryOptions({
    queryKey: ['friends', 'list'],
    queryFn: ({ signal }) => call(listFriends, {}, { signal }),
  })
}

export function receivedRequestsQuery() {
  return queryOptions({
    queryKey: ['friends', 'received'],
    queryFn: ({ signal }) => call(listReceivedRequests, {}, { signal }),
  })
}

export function sentRequestsQuery() {
  return queryOptions({
    queryKey: ['friends', 'sent'],
    queryFn: ({ signal }) => call(listSentRequests, {}, { signal }),
  })
}

/** Shared by all that change who is friends with whom. */
const mutationKey = ['friends']

export function useLookupUser() {
  return useMutation({ mutationFn: (username: string) => call(lookupUser, { params: { username } }) })
}

export function useSendFriendRequest() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey,
    mutationFn: (username: string) => call(sendFriendRequest, { body: { username } }),
    // A request that meets one from the other side makes friends at once, so all three lists may have changed.
    onSettled: () => void refetchAll(queryClient),
  })
}

export function useAcceptFriendRequest() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey,
    mutationFn: (request: ReceivedRequest) => respond(request.id, 'accepted'),
    onMutate: (request) => takeOut(queryClient, receivedRequestsQuery().queryKey, request),
    onError: (_error, _request, rollback) => rollback?.(),
    onSettled: () => void refetchAll(queryClient),
  })
}

export function useDeclineFriendRequest() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey,
    mutationFn: (request: ReceivedRequest) => respond(request.id, 'declined'),
    onMutate: (request) => takeOut(queryClient, receivedRequestsQuery().queryKey, request),
    onError: (_error, _request, rollback) => rollback?.(),
    onSettled: () => void refetchAll(queryClient),
  })
}

export function useCancelFriendRequest() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey,
    mutationFn: (request: SentRequest) => respond(request.id, 'rejected'),
    onMutate: (request) => takeOut(queryClient, sentRequestsQuery().queryKey, request),
    onError: (_error, _request, rollback) => rollback?.(),
    onSettled: () => void refetchAll(queryClient),
  })
}

export function useRemoveFriend() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey,
    mutationFn: (friend: Friend) => call(removeFriend, { params: { id: friend.id } }),
    onMutate: (friend) => takeOut(queryClient, friendsQuery().queryKey, friend),
    onError: (_error, _friend, rollback) => rollback?.(),
    onSettled: () => void refetchAll(queryClient),
  })
}

/** Whoever is blocked is gone from all three lists. */
export function useBlockUser() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey,
    mutationFn: ({ username }: { userId: UserId; username: string }) => call(blockUser, { params: { username } }),
    onMutate: async ({ userId }) => {
      const rollbacks = await Promise.all([
        takeOutWhere<Friend>(queryClient, friendsQuery().queryKey, ({ user_id }) => user_id === userId),
        takeOutWhere<ReceivedRequest>(
          queryClient,
          receivedRequestsQuery().queryKey,
          ({ requester_id }) => requester_id === userId,
        ),
        takeOutWhere<SentRequest>(
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
    },
  })
}

function respond(id: FriendRequestId, action: 'accepted' | 'declined' | 'rejected') {
  return call(respondToFriendRequest, { params: { id }, body: { action } })
}

async function takeOutWhere<T extends { id: string }>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  isMeant: (row: T) => boolean,
) {
  const row = queryClient.getQueryData<T[]>(queryKey)?.find(isMeant)
  return row && takeOut(queryClient, queryKey, row)
}

/** Takes one row out of a list at once; the returned function puts it back where it was. */
async function takeOut<T extends { id: string }>(queryClient: QueryClient, queryKey: QueryKey, row: T) {
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

/** Not while another change is under way: the answer could still hold the row that was just taken out for it. */
function refetchAll(queryClient: QueryClient) {
  if (queryClient.isMutating({ mutationKey }) > 1) return
  return Promise.all(
    [friendsQuery(), receivedRequestsQuery(), sentRequestsQuery()].map(({ queryKey }) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
}
