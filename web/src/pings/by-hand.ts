import { type UserId } from '@hither/contract/ids.ts'
import { ApiError } from '../api/api-error.ts'
import { alone } from '../outbox/sender.ts'
import { type Shelf } from '../outbox/shelf.ts'
import { inHand } from './ping-outbox.ts'
import { without } from './waiting.rules.ts'

interface Deed<Item, T> {
  item: Item
  owner: UserId
  shelf: Shelf<Item>
  lock: string
  put: (items: readonly Item[]) => readonly Item[]
  send: () => Promise<T>
}

/**
 * Sends what somebody has just done, which is kept before, so that not even the end of the page loses it. Resolves to null
 * where no answer came: it then waits in the queue. Throws what the server says, with nothing left in the queue.
 */
export async function sendByHand<Item extends { client_id: string }, T>(deed: Deed<Item, T>): Promise<T | null> {
  const { item, owner, shelf, lock, put, send } = deed
  const takeBack = () => shelf.edit(owner, (items) => without(items, item.client_id))
  inHand.add(item.client_id)
  try {
    await shelf.edit(owner, put)
    return await alone(lock, async () => {
      try {
        const reply = await send()
        await takeBack()
        return reply
      } catch (error) {
        if (error instanceof ApiError && error.status === 0) return null
        await takeBack()
        throw error
      }
    })
  } finally {
    inHand.delete(item.client_id)
    // What is left of it is the queue's now.
    await shelf.reread()
  }
}
