import { type UserId } from '@hither/contract/ids.ts'
import { messageTexts, sendMessage } from '@hither/contract/messages.ts'
import { type QueryClient } from '@tanstack/react-query'
import { ApiError, isPassing, messageOf } from '../api/api-error.ts'
import { call } from '../api/transport.ts'
import { putMessage } from './chat.api.ts'
import { failOutgoing, outbox, rereadOutbox, subscribeToOutbox, takeOutOfOutbox } from './outbox.ts'

const retryMs = { first: 1000, longest: 30_000 } as const
/** A server that answers, and answers with its own trouble, is asked so often before the message counts as failed. */
const troublesMax = 5

/** Sends what waits, one after the other, whatever the screen. `wake` tries at once what would be tried later. */
export function startOutbox(queryClient: QueryClient, viewerId: UserId): { wake: () => void; stop: () => void } {
  let isStopped = false
  let isSending = false
  let isOver = false
  let pauseMs: number = retryMs.first
  let timer: ReturnType<typeof setTimeout> | undefined
  const troubles = new Map<string, number>()

  // Since this person was here last, what they left may have been forgotten.
  rereadOutbox()
  const unsubscribe = subscribeToOutbox(() => {
    if (timer === undefined) void flush()
  })
  void flush()

  async function flush() {
    clearTimeout(timer)
    timer = undefined
    if (isSending || isStopped) return
    isSending = true
    try {
      await alone(viewerId, sendAll)
    } finally {
      isSending = false
    }
    if (timer === undefined && !isStopped && !isOver && nextWaiting() !== undefined) void flush()
  }

  async function sendAll() {
    // A tab that had the turn before may have sent some of it.
    rereadOutbox()
    for (let next = nextWaiting(); next !== undefined && !isStopped; next = nextWaiting()) {
      const { client_id, conversation_id, content } = next
      try {
        const { message } = await call(sendMessage, { body: { conversation_id, content, client_id } })
        if (isStopped) return
        putMessage(queryClient, message, viewerId)
        takeOutOfOutbox(client_id)
        pauseMs = retryMs.first
      } catch (error) {
        if (isStopped) return
        if (isEnded(error)) {
          isOver = true
          return
        }
        if (isPassing(error) && isWorthAnotherTry(client_id, error)) return pause()
        failOutgoing(client_id, messageOf(error, messageTexts.sendFailed))
      }
    }
  }

  function nextWaiting() {
    return outbox().find(({ state }) => state === 'waiting')
  }

  function isWorthAnotherTry(clientId: string, error: unknown): boolean {
    const isTrouble = error instanceof ApiError && error.status >= 500
    const count = (troubles.get(clientId) ?? 0) + (isTrouble ? 1 : 0)
    troubles.set(clientId, count === troublesMax ? 0 : count)
    return count < troublesMax
  }

  function pause() {
    timer = setTimeout(() => void flush(), pauseMs)
    pauseMs = Math.min(pauseMs * 2, retryMs.longest)
  }

  function wake() {
    pauseMs = retryMs.first
    void flush()
  }

  return {
    wake,
    stop() {
      isStopped = true
      clearTimeout(timer)
      unsubscribe()
    },
  }
}

/** The session is over; what waits is kept for when this person is back. */
function isEnded(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** One tab at a time, or two would send out of order. Locks exist in secure contexts only. */
function alone(userId: UserId, work: () => Promise<void>): Promise<void> {
  const locks = globalThis.navigator?.locks
  return locks === undefined ? work() : locks.request(`hither-outbox-${userId}`, work)
}
