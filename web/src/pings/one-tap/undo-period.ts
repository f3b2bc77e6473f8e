import type { UserId } from '@hither/contract/ids.ts'
import { sendStateOf, type WaitingPing } from '../outbox/outbox.rules.ts'
import { sendingIds, waitingPings } from '../outbox/ping-outbox.ts'

/** How long a one-tap pin can be undone before it is sent. */
export const undoMs = 5000

/** Resolves when the ping can no longer be undone, because it is due, sent or discarded. */
export function undoPeriodOf(clientId: string): Promise<void> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const unsubscribe = waitingPings.subscribe(check)
    check()

    function check() {
      clearTimeout(timer)
      const leftMs = leftMsOf(clientId)
      if (leftMs > 0) {
        timer = setTimeout(check, leftMs)
        return
      }
      unsubscribe()
      resolve()
    }
  })
}

/** Resolves when the button can be used again, see `isBusy`. */
export function whenFree(button: string): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = waitingPings.subscribe(check)
    check()

    function check() {
      if (isBusy(button)) return
      unsubscribe()
      resolve()
    }
  })
}

/** Whether a pin of this button can still be undone, or has not been sent for the first time. */
export function isBusy(button: string): boolean {
  return waitingPings.items().some((ping) => {
    const isUnsent = ping.send_after !== undefined && sendStateOf(ping, Date.now()) === 'waiting'
    return ping.button === button && isUnsent
  })
}

/** Sends the ping no earlier than `leftMs` from now, if it can still be undone. */
export function postpone(owner: UserId, clientId: string, leftMs: number): Promise<void> {
  const isMeant = undoable(clientId)
  // Decided on what is stored: the page may have been hidden meanwhile, and then the ping is sent at once.
  return waitingPings.edit(owner, (pings) =>
    pings.map((ping) => (isMeant(ping) ? { ...ping, send_after: Date.now() + leftMs } : ping)),
  )
}

/** Discards the ping. Returns false if it is too late. */
export async function undo(owner: UserId, clientId: string): Promise<boolean> {
  const isMeant = undoable(clientId)
  let isRemoved = false
  // The sender of this tab must not take the ping while it is being removed.
  sendingIds.add(clientId)
  await waitingPings
    .edit(owner, (pings) => {
      isRemoved = pings.some(isMeant)
      return pings.filter((ping) => !isMeant(ping))
    })
    .finally(() => sendingIds.delete(clientId))
  // The sender has skipped a ping that it may send.
  if (!isRemoved) await waitingPings.reread()
  return isRemoved
}

function undoable(clientId: string) {
  return ({ client_id, send_after = 0, made }: WaitingPing) =>
    client_id === clientId && made === null && send_after > Date.now()
}

function leftMsOf(clientId: string): number {
  const ping = waitingPings.items().find(({ client_id }) => client_id === clientId)
  return (ping?.send_after ?? 0) - Date.now()
}
