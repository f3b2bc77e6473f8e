import type { FeedChange } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import type { QueryClient } from '@tanstack/react-query'
import { refreshUserImage } from '../api/images.ts'
import { friendsQuery } from '../friends/friends.api.ts'
import { replaceUser, sessionState } from '../session/session.ts'

type UserChange = Extract<FeedChange, { table: 'users' }>

/** Applies changes of the viewer's name and image that were made on another device. */
export function applyOwnUserChange(change: UserChange, viewerId: UserId) {
  const { user } = sessionState()
  if (change.eventType === 'DELETE' || change.new.id !== viewerId || user?.id !== viewerId) return
  const { username, display_name, has_image } = change.new
  const isSame = username === user.username && display_name === user.display_name && has_image === user.has_image
  if (!isSame) replaceUser({ ...user, username, display_name, has_image })
}

/**
 * Refetches an image that may have been replaced: the row then looks like the row before it. A presence change has the
 * same form and is far more frequent. It is recognized by comparing it with the cached friends, so this must run before
 * they are updated.
 */
export function applyImageChange(queryClient: QueryClient, change: UserChange) {
  if (change.eventType === 'DELETE' || !change.new.has_image) return
  const { id, is_online } = change.new
  const known = queryClient.getQueryData(friendsQuery().queryKey)?.find(({ user_id }) => user_id === id)
  if (known === undefined || known.is_online === is_online) void refreshUserImage(id)
}
