import { type ConversationId, type UserId } from '@hither/contract/ids.ts'
import { conversationTopic, type Typing, typingEvent } from '@hither/contract/messages.ts'
import { type RealtimeChannel, type RealtimeClient } from '@supabase/realtime-js'

export interface ConversationChannel {
  /** Dropped where there is no connection: what is not heard at once is of no use. */
  sendTyping(typing: Typing): void
  close(): void
}

type Listener = () => void

const reopenAfterMs = 5000

let client: RealtimeClient | null = null
const listeners = new Set<Listener>()

/** The connection of whoever is signed in, for as long as they are. */
export function setRealtimeClient(next: RealtimeClient | null) {
  client = next
  for (const listener of [...listeners]) listener()
}

/** `null` where nobody is signed in, or it is not yet there. */
export function realtimeClient(): RealtimeClient | null {
  return client
}

/** Joins the live channel of a conversation, whenever there is a connection. */
export function openConversationChannel(
  conversationId: ConversationId,
  onTyping: (userId: UserId) => void,
): ConversationChannel {
  let channel: RealtimeChannel | null = null
  let openedOn: RealtimeClient | null = null
  let reopenTimer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  listeners.add(handleClient)
  handleClient()

  function handleClient() {
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
    sendTyping(typing) {
      // Unjoined, the client would make a call of its own instead.
      if (channel?.state !== 'joined') return
      void channel.send({ type: 'broadcast', event: typingEvent, payload: typing }).catch(() => undefined)
    },
    close() {
      isClosed = true
      listeners.delete(handleClient)
      leave()
    },
  }
}
