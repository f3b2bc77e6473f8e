import { type UserId } from '@hither/contract/ids.ts'
import { messageTexts, sendMessage } from '@hither/contract/messages.ts'
import { type QueryClient } from '@tanstack/react-query'
import { messageOf } from '../api/api-error.ts'
import { call } from '../api/transport.ts'
import { type Sender, startSender } from '../outbox/sender.ts'
import { putMessage } from './chat.api.ts'
import { failOutgoing, outbox, rereadOutbox, subscribeToOutbox, takeOutOfOutbox } from './outbox.ts'

/** Sends the messages that wait. */
export function startOutbox(queryClient: QueryClient, viewerId: UserId): Sender {
  // Since this person was here last, what they left may have been forgotten.
  rereadOutbox()
  return startSender({
    lock: `hither-outbox-${viewerId}`,
    reread: rereadOutbox,
    subscribe: subscribeToOutbox,
    next: () => outbox().find(({ state }) => state === 'waiting'),
    async send({ client_id, conversation_id, content }, isStopped) {
      const { message } = await call(sendMessage, { body: { conversation_id, content, client_id } })
      if (isStopped()) return
      putMessage(queryClient, message, viewerId)
      takeOutOfOutbox(client_id)
    },
    refuse: ({ client_id }, error) => failOutgoing(client_id, messageOf(error, messageTexts.sendFailed)),
  })
}
