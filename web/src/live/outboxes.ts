import type { UserId } from '@hither/contract/ids.ts'
import type { QueryClient } from '@tanstack/react-query'
import { clearChatStorage } from '../chat/chat-storage.ts'
import { startMessageOutbox } from '../chat/outbox/message-sender.ts'
import { startPhotoWork } from '../chat/outbox/photo-work.ts'
import { clearCamera } from '../map/engine/stored-camera.ts'
import { clearPersistentQueues } from '../outbox/persistent-queue.ts'
import type { Sender } from '../outbox/sender.ts'
import { startPingOutbox, startResponseOutbox } from '../pings/outbox/ping-sender.ts'
import { clearSuggestions } from '../pings/suggestions/stored-suggestions.ts'
import { deleteShared } from '../service-worker/shared.ts'
import { hasSignedOut } from '../session/session.ts'
import { whenIdle } from '../ui/lazy.tsx'

/**
 * Starts the senders of all outboxes. Deletes what other users have stored on this device at the start, and the user's
 * own items after sign-out.
 */
export function startOutboxes(queryClient: QueryClient, viewerId: UserId): Sender {
  clearChatStorage({ butOf: viewerId })
  clearCamera({ butOf: viewerId })
  clearSuggestions({ butOf: viewerId })
  void clearPersistentQueues({ butOf: viewerId })
  // What an earlier page has stored. The trip bar and the first decision about a trip start it as well.
  whenIdle(async () => (await import('../pings/trips/trip-work.ts')).startTripWork(queryClient, viewerId))
  const senders = [startMessageOutbox, startPhotoWork, startPingOutbox, startResponseOutbox].map((start) =>
    start(queryClient, viewerId),
  )
  return {
    wake() {
      for (const sender of senders) sender.wake()
    },
    stop() {
      for (const sender of senders) sender.stop()
      if (!hasSignedOut()) return
      clearChatStorage({ of: viewerId })
      clearCamera({ of: viewerId })
      clearSuggestions({ of: viewerId })
      void clearPersistentQueues({ of: viewerId })
      void deleteShared().catch(() => undefined)
    },
  }
}
