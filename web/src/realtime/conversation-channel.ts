import type { ConversationId, UserId } from '@hither/contract/ids.ts'
import { conversationTopic, typingEvent } from '@hither/contract/runtime/messages/messages.ts'
import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import { createStore } from 'zustand'

export interface ConversationChannel {
  /** Does nothing without a connection, because a delayed typing event is of no use. */
  sendTyping(): void
  close(): void
}

const reopenAfterMs = 5000

const connection = createStore<{ client: RealtimeClient | null }>(() => ({ client: null }))

/** Sets the connection of the signed-in user, or null after sign-out. */
export function setRealtimeClient(client: RealtimeClient | null) {
  connection.setState({ client })
}

/** Returns `null` for visitors and before the connection exists. */
export function realtimeClient(): RealtimeClient | null {
  return connection.getState().client
}

/** Joins the live channel of a conversation on every connection. */
export function openConversationChannel(
  conversationId: ConversationId,
  onTyping: (userId: UserId) => void,
): ConversationChannel {
  let channel: RealtimeChannel | null = null
  let openedOn: RealtimeClient | null = null
  let reopenTimer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  const unsubscribe = connection.subscribe(handleClient)
  handleClient()

  function handleClient() {
    const client = realtimeClient()
    if (client === openedOn) return
    leave()
    openedOn = client
    if (client !== null) join(client)
  }

  function join(on: RealtimeClient) {
    const opened = on.channel(conversationTopic(conversationId), { config: { broadcast: { ack: false, self: false } } })
    channel = opened
    opened.on('broadcast', { event: typingEvent }, ({ payload }) => {
      const userId: unknown = payload?.['user_id']
      if (!isClosed && typeof userId === 'string') onTyping(userId as UserId)
    })
    opened.subscribe((status) => {
      if (status !== 'CLOSED' || isClosed || channel !== opened) return
      channel = null
      reopenTimer = setTimeout(() => openedOn !== null && join(openedOn), reopenAfterMs)
    })
  }

  function leave() {
    clearTimeout(reopenTimer)
    const left = channel
    channel = null
    if (left !== null) void openedOn?.removeChannel(left).catch(() => undefined)
  }

  return {
    sendTyping() {
      // On a channel that is not joined, the client would send an HTTP request instead.
      if (channel?.state !== 'joined') return
      void channel.send({ type: 'broadcast', event: typingEvent, payload: {} }).catch(() => undefined)
    },
    close() {
      isClosed = true
      unsubscribe()
      leave()
    },
  }
}
