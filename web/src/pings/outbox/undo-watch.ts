import type { UserId } from '@hither/contract/ids.ts'
import type { Sender } from '../../outbox/sender.ts'
import type { WaitingPing } from './outbox.rules.ts'
import { droppedHere, waitingPings } from './ping-outbox.ts'

/** A timer may fire a little early. */
const timerSlackMs = 20

/** Wakes the sender when an undo period ends, and ends those of this page when it is hidden. Returns how to stop. */
export function watchUndoPeriods(viewerId: UserId, sender: Sender): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined

  function plan() {
    clearTimeout(timer)
    const nowMs = Date.now()
    const ends = waitingPings.items().flatMap(({ send_after = 0 }) => (send_after > nowMs ? [send_after] : []))
    if (ends.length > 0) timer = setTimeout(sender.wake, Math.min(...ends) - nowMs + timerSlackMs)
  }

  function handleVisibility() {
    if (document.visibilityState === 'hidden') void endOwn(viewerId)
  }

  const unsubscribe = waitingPings.subscribe(plan)
  plan()
  globalThis.document?.addEventListener('visibilitychange', handleVisibility)
  return () => {
    clearTimeout(timer)
    unsubscribe()
    globalThis.document?.removeEventListener('visibilitychange', handleVisibility)
  }
}

function endOwn(viewerId: UserId): Promise<void> {
  const nowMs = Date.now()
  const isMeant = ({ client_id, send_after = 0 }: WaitingPing) => droppedHere.has(client_id) && send_after > nowMs
  return waitingPings.edit(viewerId, (pings) =>
    pings.map((ping) => (isMeant(ping) ? { ...ping, send_after: nowMs } : ping)),
  )
}
