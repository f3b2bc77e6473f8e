import type { User } from '@hither/contract/users.ts'
import { useQuery } from '@tanstack/react-query'
import { friendsQuery } from '../../friends/friends.api.ts'

/** Returns the ids of the people whose picture can be loaded: friends and the viewer. */
export function useImageOwners(viewer: User): ReadonlySet<string> {
  const friends = useQuery(friendsQuery())
  const ids = new Set<string>(friends.data?.filter(({ has_image }) => has_image).map(({ user_id }) => user_id))
  if (viewer.has_image) ids.add(viewer.id)
  return ids
}
