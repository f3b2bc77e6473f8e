import type { UserId } from '@hither/contract/ids.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { Sender } from '../../outbox/sender.ts'
import { loadOnce } from '../../ui/load-module.ts'
import { waitingPhotos } from './photo-queue.ts'

/** Sends the user's stored photos. The code for it is loaded once a photo waits. */
export function startPhotoWork(queryClient: QueryClient, viewerId: UserId): Sender {
  let sender: Sender | null = null
  let isLoading = false
  let isStopped = false
  const unsubscribe = waitingPhotos.subscribe(() => void load())
  void load()

  async function load() {
    if (sender !== null || isLoading || isStopped || waitingPhotos.items().length === 0) return
    isLoading = true
    try {
      const { startPhotoOutbox } = await loadOnce(() => import('./photo-sender.ts'))
      if (!isStopped) sender = startPhotoOutbox(queryClient, viewerId)
    } catch {
      // Without a network. It is loaded when the sender is woken.
    } finally {
      isLoading = false
    }
  }

  return {
    wake() {
      if (sender === null) void load()
      else sender.wake()
    },
    stop() {
      isStopped = true
      unsubscribe()
      sender?.stop()
    },
  }
}
