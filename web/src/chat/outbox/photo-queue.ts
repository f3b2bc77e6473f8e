import { createPersistentQueue } from '../../outbox/persistent-queue.ts'
import type { OutgoingPhoto } from './outgoing.ts'

/** Photos have a queue of their own, so that texts need not wait for their upload. */
export const waitingPhotos = createPersistentQueue<OutgoingPhoto>('chat-photos')
