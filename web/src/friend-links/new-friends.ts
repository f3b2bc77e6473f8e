import type { FeedChange, FriendshipRow } from '@hither/contract/feeds.ts'
import type { FriendshipId, UserId } from '@hither/contract/ids.ts'

/** Somebody who has just become a friend of the viewer. */
export interface NewFriend {
  /** The id of the friendship. */
  readonly id: FriendshipId
  readonly userId: UserId
  /** The name that others see. */
  readonly name: string
  /** Whether the other person has requested the friendship or used a friend link of the viewer. */
  readonly isTheirRequest: boolean
}

export type FriendshipEvent = { added: NewFriend } | { removed: FriendshipId }

type Listener = (event: FriendshipEvent) => void

const listeners = new Set<Listener>()

/** Notifies the listeners of a live change of a friendship. A change may be reported twice. */
export function announceFriendship(change: Extract<FeedChange, { table: 'friendships' }>, viewerId: UserId) {
  if (change.eventType === 'DELETE') {
    const { id } = change.old
    if (id !== undefined) for (const listener of listeners) listener({ removed: id })
    return
  }
  if (change.eventType !== 'INSERT') return
  const added = friendOf(change.new, viewerId)
  for (const listener of listeners) listener({ added })
}

/** The requester of a friendship that a friend link created is the user of the link. */
function friendOf(row: FriendshipRow, viewerId: UserId): NewFriend {
  const { id, requester_id, requested_id } = row
  return requested_id === viewerId
    ? { id, userId: requester_id, name: row.requester_display_name ?? row.requester_username, isTheirRequest: true }
    : { id, userId: requested_id, name: row.requested_display_name ?? row.requested_username, isTheirRequest: false }
}

/** Calls the listener until the returned function is called. */
export function subscribeToNewFriends(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
