import type { BlockedUser } from '@hither/contract/friends.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { queryOptions } from '@tanstack/react-query'
import { type After, allPages } from '../api/all-pages.ts'
import { call } from '../api/transport.ts'
import { useListRemoval } from '../api/use-list-removal.ts'

/** The users whom the viewer has blocked. */
export function blockedQuery() {
  return queryOptions({
    queryKey: ['profile', 'blocked'],
    queryFn: ({ signal }) =>
      allPages(
        (query: After<UserId>) => call('GET /friends/blocked', { query }, { signal }),
        (person) => person.user_id,
      ),
    staleTime: 0,
  })
}

/** Shows the user as unblocked before the server answers. */
export function useUnblock() {
  return useListRemoval<BlockedUser, BlockedUser>(
    blockedQuery().queryKey,
    ({ username }) => call('DELETE /friends/block/:username', { params: { username } }),
    (person) => (other) => other.user_id !== person.user_id,
  )
}
