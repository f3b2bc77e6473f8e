import type { ConversationId } from '@hither/contract/ids.ts'
import { useMemo, useSyncExternalStore } from 'react'
import { type Outgoing, waitingMessages } from './message-outbox.ts'
import { isOutgoingMessage } from './outbox-items.ts'
import { inWrittenOrder } from './outgoing.ts'
import { waitingPhotos } from './photo-queue.ts'

/** The unsent messages and photos of a conversation, in the order in which they were written. */
export function useOutbox(conversationId: ConversationId): readonly Outgoing[] {
  const messages = useSyncExternalStore(waitingMessages.subscribe, waitingMessages.items)
  const photos = useSyncExternalStore(waitingPhotos.subscribe, waitingPhotos.items)
  return useMemo(() => {
    const own = (items: readonly Outgoing[]) => items.filter((item) => item.conversation_id === conversationId)
    return inWrittenOrder(own(messages.filter(isOutgoingMessage)), own(photos))
  }, [messages, photos, conversationId])
}
