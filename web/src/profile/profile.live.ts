import { type FeedChange } from '@hither/contract/feeds.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { type QueryClient } from '@tanstack/react-query'
import { refreshUserImage } from '../api/images.ts'
import { adoptUser, sessionState } from '../auth/session.ts'
import { friendsQuery } from '../friends/friends.api.ts'

type UserChange = Extract<FeedChange, { table: 'users' }>

/** The viewer's own name and picture, as changed on another of their devices. */
export function applyOwnUserChange(change: UserChange, viewerId: UserId) {
  const { user } = sessionState()
  if (change.eventType === 'DELETE' || change.new.id !== viewerId || user?.id !== viewerId) return
  const { username, has_image } = change.new
  if (username !== user.username || has_image !== user.has_image) adoptUser({ ...user, username, has_image })
}

/**
 * A picture that took the place of another is told by a change that looks like the row before it. Coming and going
 * is told too, and far more often: it is recognised by the list of friends as it was, so this comes before that is changed.
 */
export function applyImageChange(queryClient: QueryClient, change: UserChange) {
  if (change.eventType === 'DELETE' || !change.new.has_image) return
  const { id, is_online } = change.new
  const known = queryClient.getQueryData(friendsQuery().queryKey)?.find(({ user_id }) => user_id === id)
  if (known === undefined || known.is_online === is_online) void refreshUserImage(id)
}
