import type { QueryClient } from '@tanstack/react-query'
import { circlesQuery } from '../../circles/circles.api.ts'
import { friendsQuery } from '../../friends/friends.api.ts'
import type { Addressees } from './drop-again.rules.ts'

/** Reads the friends and circles that this device knows, without a request. */
export function knownAddressees(queryClient: QueryClient): Addressees {
  const friends = queryClient.getQueryData(friendsQuery().queryKey)
  return {
    friendIds: friends === undefined ? null : new Set(friends.map(({ user_id }) => user_id)),
    circles: queryClient.getQueryData(circlesQuery().queryKey) ?? null,
  }
}
