import type { PingId, UserId } from '@hither/contract/ids.ts'
import { useSyncExternalStore } from 'react'
import { createPersistentQueue } from '../../outbox/persistent-queue.ts'
import { type WaitingPing, type WaitingResponse, without } from './outbox.rules.ts'

export const waitingPings = createPersistentQueue<WaitingPing>('pings')
export const waitingResponses = createPersistentQueue<WaitingResponse>('answers')

export function pingsLock(userId: UserId): string {
  return `hither-pings-${userId}`
}

export function responsesLock(userId: UserId): string {
  return `hither-answers-${userId}`
}

/** Client ids of the items that this tab is sending directly, see `sendWithOutbox`. The queue's sender skips them. */
export const sendingIds = new Set<string>()

/** Client ids of the one-tap pings of this page. Their undo period ends when it is hidden. */
export const droppedHere = new Set<string>()

export function discardWaiting(ownerId: UserId, clientId: string): Promise<void> {
  return waitingPings.edit(ownerId, (pings) => without(pings, clientId))
}

const none: readonly WaitingPing[] = []

/** The waiting pings in the order of writing, without those that are being sent directly. */
export function useWaitingPings(): readonly WaitingPing[] {
  return useSyncExternalStore(waitingPings.subscribe, shownPings)
}

/** The viewer's response to a ping that is not sent yet. */
export function useWaitingResponse(pingId: PingId): WaitingResponse | undefined {
  return useSyncExternalStore(waitingResponses.subscribe, () =>
    waitingResponses.items().find(({ client_id, ping_id }) => ping_id === pingId && !sendingIds.has(client_id)),
  )
}

let shown: { of: readonly WaitingPing[]; sendingIds: string; pings: readonly WaitingPing[] } | null = null

/** Leaves out pings that the server already has: the lists show them. */
function shownPings(): readonly WaitingPing[] {
  const of = waitingPings.items()
  if (of.length === 0) return none
  const sending = [...sendingIds].join()
  if (shown?.of !== of || shown.sendingIds !== sending) {
    const pings = of.filter(({ client_id, made }) => made === null && !sendingIds.has(client_id))
    shown = { of, sendingIds: sending, pings }
  }
  return shown.pings
}
