import { type FeedChange, feedNames, positionExtension, realtimePath, resyncExtension } from '@hither/contract/feeds.ts'
import type { UserId } from '@hither/contract/ids.ts'
import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import type { QueryClient } from '@tanstack/react-query'
import { apiAddress } from '../api/base-address.ts'
import { watchEndedChats } from '../chat/dates/watch-ended-chats.ts'
import { type FriendshipEvent, subscribeToNewFriends } from '../friend-links/new-friends.ts'
import { withConversation } from '../pings/ping-changes.ts'
import { isForAudience } from '../pings/ping-shapes.ts'
import { patchEveryPing } from '../pings/pings.cache.ts'
import { responseNotice } from '../pings/pings.live.ts'
import { setRealtimeClient } from '../realtime/conversation-channel.ts'
import { liveStatus, setLiveStatus } from '../realtime/live-status.ts'
import { showPresence } from '../realtime/own-presence.ts'
import { checkSession, getFreshAccessToken } from '../session/session.ts'
import { whenIdle } from '../ui/lazy.tsx'
import { publishNotice } from '../ui/notices/notices.ts'
import { createChangeApplier } from './change-applier.ts'
import { startOutboxes } from './outboxes.ts'

const channelName = 'changes'

/** A reconnection within this time, in milliseconds, is not shown to the user. */
const offlineAfterMs = 4000
const reopenAfterMs = 5000

/**
 * Keeps the query cache current for one signed-in user until the returned function is called. Reports the friendships that begin
 * and end.
 */
export function startLive(
  queryClient: QueryClient,
  viewerId: UserId,
  onFriendship: (event: FriendshipEvent) => void,
): () => void {
  let stopped = false
  let channel: RealtimeChannel | null = null
  let offlineTimer: ReturnType<typeof setTimeout> | undefined
  let reopenTimer: ReturnType<typeof setTimeout> | undefined
  let hidePresence: (() => void) | null = null

  const client = new RealtimeClient(apiAddress(realtimePath).replace(/^http/, 'ws'), {
    params: { apikey: 'hither' },
    accessToken: getFreshAccessToken,
  })

  const changes = createChangeApplier(queryClient, viewerId, () => liveStatus() === 'live')
  let stopWatching: (() => void) | null = null
  // Not part of the first load, because they begin with what is cached by then.
  whenIdle(async () => {
    const [{ watchHiddenPlaces }, { watchPinRecords }] = await Promise.all([
      import('../pings/place/hidden-places.ts'),
      import('../pings/pin-records/watch-pin-records.ts'),
    ])
    const stopRecording = stopped ? null : await watchPinRecords(queryClient, viewerId)
    if (stopped) return stopRecording?.()
    const stopHiding = watchHiddenPlaces(queryClient)
    stopWatching = () => {
      stopRecording?.()
      stopHiding()
    }
  })
  const stopErasing = watchEndedChats(queryClient, viewerId, (id) =>
    patchEveryPing(queryClient, (ping) =>
      isForAudience(ping) && ping.conversation_id === id ? withConversation(ping, null) : ping,
    ),
  )
  const outboxes = startOutboxes(queryClient, viewerId)
  const unsubscribe = subscribeToNewFriends(onFriendship)

  setLiveStatus('connecting')
  expectConnection()
  window.addEventListener('offline', handleOffline)
  window.addEventListener('online', handleOnline)
  document.addEventListener('visibilitychange', handleVisibility)
  void open()

  async function open() {
    // The client does not wait for the token callback: without this line, the first join would have no token.
    await client.setAuth().catch(() => undefined)
    if (stopped) return
    setRealtimeClient(client)
    hidePresence ??= showPresence(client, viewerId)
    const opened = client.channel(channelName)
    channel = opened
    // Sent with every join of this channel. The server replays the changes after this position; without it, it sends the notice
    // to refetch.
    const resume: { after: string | undefined } = { after: undefined }
    opened.updateJoinPayload({ resume })
    for (const table of feedNames) {
      opened.on('postgres_changes', { event: '*', schema: 'public', table }, (change) => {
        if (stopped) return
        const applied = change as unknown as FeedChange
        if (applied.table === 'ping_responses') void showResponse(applied)
        changes.apply(applied)
        resume.after = change.commit_timestamp
      })
    }
    opened.on('system', {}, ({ extension, position }: { extension?: unknown; position?: string }) => {
      if (stopped) return
      // Sent after the replay or the notice, and again from time to time: this client has handled everything before.
      if (extension === positionExtension) resume.after = position
      // Sent at the beginning and after a gap that is too long to replay: all cached data may have missed changes.
      if (extension === resyncExtension) {
        changes.refetchAll()
        resume.after = undefined
      }
    })
    opened.subscribe((status) => {
      if (!stopped && channel === opened) handleChannel(status)
    })
  }

  async function showResponse(change: Parameters<typeof responseNotice>[1]) {
    const text = await responseNotice(queryClient, change, viewerId)
    if (text !== null && !stopped) publishNotice({ kind: 'notice', text })
  }

  function handleChannel(status: string) {
    if (status === 'SUBSCRIBED') {
      clearTimeout(offlineTimer)
      offlineTimer = undefined
      setLiveStatus('live')
      changes.refetchFailed()
      outboxes.wake()
      return
    }
    // A refused join may mean that the session was revoked on another device.
    if (offlineTimer === undefined && liveStatus() !== 'offline') void checkSession()
    expectConnection()
    // The client retries errors and timeouts by itself. A closed channel must be replaced.
    if (status === 'CLOSED') {
      clearTimeout(reopenTimer)
      reopenTimer = setTimeout(open, reopenAfterMs)
    }
  }

  function expectConnection() {
    offlineTimer ??= setTimeout(() => {
      setLiveStatus('offline')
      offlineTimer = undefined
    }, offlineAfterMs)
  }

  function handleOffline() {
    setLiveStatus('offline')
  }

  function handleOnline() {
    outboxes.wake()
    if (client.isConnected() && channel?.state === 'joined') return handleChannel('SUBSCRIBED')
    setLiveStatus('connecting')
    expectConnection()
    client.connect()
  }

  function handleVisibility() {
    // On wake-up the client rejoins with its old token. This line sets the current one.
    if (document.visibilityState === 'hidden') return
    void client.setAuth().catch(() => undefined)
    if (channel?.state === 'joined' || !navigator.onLine) return
    // A hidden page does not reconnect, so the connection is only being established now.
    setLiveStatus('connecting')
    expectConnection()
  }

  return () => {
    stopped = true
    changes.stop()
    unsubscribe()
    stopWatching?.()
    stopErasing()
    outboxes.stop()
    setRealtimeClient(null)
    hidePresence?.()
    clearTimeout(offlineTimer)
    clearTimeout(reopenTimer)
    window.removeEventListener('offline', handleOffline)
    window.removeEventListener('online', handleOnline)
    document.removeEventListener('visibilitychange', handleVisibility)
    setLiveStatus('connecting')
    void client
      .removeAllChannels()
      .catch(() => undefined)
      .then(() => client.disconnect())
  }
}
