import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { FriendshipEvent, NewFriend } from '../friend-links/new-friends.ts'
import { setLiveStatus } from '../realtime/live-status.ts'
import { useSession } from '../session/session.ts'
import { lazyComponent } from '../ui/lazy.tsx'
import { loadModule } from '../ui/load-module.ts'

const NewFriendQuestion = lazyComponent(
  async () => (await import('../pings/new-friends/NewFriendQuestion.tsx')).NewFriendQuestion,
)

const tryAgainAfterMs = 5000

/**
 * Runs the live channel on every screen while a user is signed in. Loads its code after the first sign-in. Asks about the pins
 * that a new friend may see.
 */
export function LiveConnection() {
  const { user } = useSession()
  const queryClient = useQueryClient()
  const viewerId = user?.id
  const [newFriends, setNewFriends] = useState<readonly NewFriend[]>([])

  useEffect(() => {
    if (viewerId === undefined) return
    let stop: (() => void) | null = null
    let isCanceled = false
    let timer: ReturnType<typeof setTimeout> | undefined
    void start()
    return () => {
      isCanceled = true
      clearTimeout(timer)
      stop?.()
      setNewFriends([])
    }

    async function start() {
      try {
        const { startLive } = await loadModule(() => import('./live-client.ts'))
        if (isCanceled || viewerId === undefined) return
        stop = startLive(queryClient, viewerId, (event) => setNewFriends((friends) => withEvent(friends, event)))
      } catch {
        if (isCanceled) return
        setLiveStatus('offline')
        timer = setTimeout(start, tryAgainAfterMs)
      }
    }
  }, [queryClient, viewerId])

  const [friend] = newFriends
  if (friend === undefined) return null
  const handleDone = () => setNewFriends((friends) => withEvent(friends, { removed: friend.id }))
  return <NewFriendQuestion key={friend.id} friend={friend} onDone={handleDone} />
}

/** The same friendship may be reported twice. */
function withEvent(friends: readonly NewFriend[], event: FriendshipEvent): readonly NewFriend[] {
  const id = 'added' in event ? event.added.id : event.removed
  const others = friends.filter((friend) => friend.id !== id)
  return 'added' in event ? [...others, event.added] : others
}
