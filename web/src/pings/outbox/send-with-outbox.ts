import type { UserId } from '@hither/contract/ids.ts'
import { hasNoResponse } from '../../api/api-error.ts'
import { untilOnline } from '../../api/until-online.ts'
import type { PersistentQueue } from '../../outbox/persistent-queue.ts'
import { withLock } from '../../outbox/sender.ts'
import { without } from './outbox.rules.ts'
import { sendingIds } from './ping-outbox.ts'

interface OutboxRequest<Item, T> {
  item: Item
  owner: UserId
  queue: PersistentQueue<Item>
  lock: string
  put: (items: readonly Item[]) => readonly Item[]
  send: () => Promise<T>
  /** Whether the item stays in the queue after this error, to be sent later. By default only if the server did not answer. */
  isKept?: (error: unknown) => boolean
}

/**
 * Sends what the user has just done. The item is stored in the queue first, so that closing the page does not lose it. Resolves
 * to null where the item stays in the queue. Throws the server's refusal, with the item removed from the queue.
 */
export async function sendWithOutbox<Item extends { client_id: string }, T>(
  request: OutboxRequest<Item, T>,
): Promise<T | null> {
  const { item, owner, queue, lock, put, send, isKept = hasNoResponse } = request
  const removeItem = () => queue.edit(owner, (items) => without(items, item.client_id))
  sendingIds.add(item.client_id)
  try {
    await queue.edit(owner, put)
    return await withLock(lock, async () => {
      try {
        const reply = await untilOnline(send)
        await removeItem()
        return reply
      } catch (error) {
        if (isKept(error)) return null
        await removeItem()
        throw error
      }
    })
  } finally {
    sendingIds.delete(item.client_id)
    // An item that is still in the queue is now sent by the queue's sender.
    await queue.reread()
  }
}
