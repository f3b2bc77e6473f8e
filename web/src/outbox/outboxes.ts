import { type UserId } from '@hither/contract/ids.ts'
import { type QueryClient } from '@tanstack/react-query'
import { hasSignedOut } from '../auth/session.ts'
import { forgetKept } from '../chat/kept.ts'
import { startOutbox } from '../chat/outbox-sender.ts'
import { startAnswerOutbox, startPingOutbox } from '../pings/ping-sender.ts'
import { forgetShared } from '../share/shared.ts'
import { type Sender } from './sender.ts'
import { clearShelves } from './shelf.ts'

/** Sends all that waits of this person, and forgets what others left here, or they themselves by signing out. */
export function startOutboxes(queryClient: QueryClient, viewerId: UserId): Sender {
  forgetKept({ butOf: viewerId })
  void clearShelves({ butOf: viewerId })
  const senders = [startOutbox, startPingOutbox, startAnswerOutbox].map((start) => start(queryClient, viewerId))
  return {
    wake() {
      for (const sender of senders) sender.wake()
    },
    stop() {
      for (const sender of senders) sender.stop()
      if (!hasSignedOut()) return
      forgetKept({ of: viewerId })
      void clearShelves({ of: viewerId })
      void forgetShared().catch(() => undefined)
    },
  }
}
