import { type FeedChange, feedNames, realtimePath, resyncExtension } from '@hither/contract/feeds.ts'
import { type UserId } from '@hither/contract/ids.ts'
import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import { type QueryClient } from '@tanstack/react-query'
import { apiAddress } from '../api/base-address.ts'
import { checkSession, getFreshAccessToken } from '../auth/session.ts'
import { startOutboxes } from '../outbox/outboxes.ts'
import { applyChange } from './apply-change.ts'
import { setRealtimeClient } from './conversation-channel.ts'
import { liveStatus, setLiveStatus } from './live-status.ts'
import { showPresence } from './own-presence.ts'

const channelName = 'changes'

/** A reconnection within this time is nobody's concern. */
const offlineAfterMs = 4000
const reopenAfterMs = 5000

/** Keeps the query cache current for one signed-in user until the returned function is called. */
export function startLive(queryClient: QueryClient, viewerId: UserId): () => void {
  let stopped = false
  let channel: RealtimeChannel | null = null
  let offlineTimer: ReturnType<typeof setTimeout> | undefined
  let reopenTimer: ReturnType<typeof setTimeout> | undefined
  let hidePresence: (() => void) | null = null

  const client = new RealtimeClient(apiAddress(realtimePath).replace(/^http/, 'ws'), {
    // The server resumes a stream by client_id, so it stays the same over all reconnections of this tab.
    params: { apikey: 'hither', client_id: crypto.randomUUID() },
    accessToken: getFreshAccessToken,
  })

  const outboxes = startOutboxes(queryClient, viewerId)

  setLiveStatus('connecting')
  expectConnection()
  window.addEventListener('offline', handleOffline)
  window.addEventListener('online', handleOnline)
  document.addEventListener('visibilitychange', handleVisibility)
  void open()

  async function open() {
    // The client does not wait for the token callback by itself: the first join would go out without one.
    await client.setAuth().catch(() => undefined)
    if (stopped) return
    setRealtimeClient(client)
    hidePresence ??= showPresence(client, viewerId)
    const opened = client.channel(channelName)
    channel = opened
    // Sent with every join of this channel: what came after this is sent again, and nothing twice.
    const resume: { after: string | null } = { after: null }
    opened.updateJoinPayload({ resume })
    for (const table of feedNames) {
      opened.on('postgres_changes', { event: '*', schema: 'public', table }, (change) => {
        if (stopped) return
        applyChange(queryClient, change as unknown as FeedChange, viewerId)
        resume.after = change.commit_timestamp
      })
    }
    // At the beginning, and after an absence that was too long: whatever was read before may have missed a change.
    opened.on('system', {}, ({ extension }: { extension?: unknown }) => {
      if (!stopped && extension === resyncExtension) void queryClient.invalidateQueries()
    })
    opened.subscribe((status) => {
      if (!stopped && channel === opened) handleChannel(status)
    })
  }

  function handleChannel(status: string) {
    if (status === 'SUBSCRIBED') {
      clearTimeout(offlineTimer)
      offlineTimer = undefined
      setLiveStatus('live')
      outboxes.wake()
      return
    }
    // A refused join may mean that the session was ended from elsewhere.
    if (offlineTimer === undefined && liveStatus() !== 'offline') void checkSession()
    expectConnection()
    // The client retries errors and time-outs by itself. A closed channel is gone for good and needs a new one.
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
    // On wake-up the client rejoins with the token it went to sleep with; this hands it the present one.
    if (document.visibilityState === 'hidden') return
    void client.setAuth().catch(() => undefined)
    if (channel?.state === 'joined' || !navigator.onLine) return
    // It does not reconnect while hidden, so that this is no more than the beginning of a connection.
    setLiveStatus('connecting')
    expectConnection()
  }

  return () => {
    stopped = true
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
