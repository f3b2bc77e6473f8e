import type { UserId } from '@hither/contract/ids.ts'
import type { RealtimeClient } from '@supabase/realtime-js'
import { isAppearingOffline, subscribeToAppearOffline } from './appear-offline.ts'

const channelName = 'online-users'

/**
 * Shows the user as online to their friends, unless they chose to appear offline. The presence of the friends comes
 * with the feed `users`.
 */
export function showPresence(client: RealtimeClient, viewerId: UserId): () => void {
  const channel = client.channel(channelName, { config: { presence: { key: viewerId, enabled: true } } })
  let isJoined = false

  function show() {
    if (!isJoined) return
    if (isAppearingOffline()) void channel.untrack().catch(() => undefined)
    else void channel.track({ user_id: viewerId, online_at: new Date().toISOString() }).catch(() => undefined)
  }

  const unsubscribe = subscribeToAppearOffline(show)
  channel.subscribe((status) => {
    isJoined = status === 'SUBSCRIBED'
    show()
  })
  return unsubscribe
}
