import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { useSyncExternalStore } from 'react'
import { createShelf } from '../outbox/shelf.ts'
import { type WaitingAnswer, type WaitingPing, without } from './waiting.rules.ts'

export const waitingPings = createShelf<WaitingPing>('pings')
export const waitingAnswers = createShelf<WaitingAnswer>('answers')

export function pingsLock(userId: UserId): string {
  return `hither-pings-${userId}`
}

export function answersLock(userId: UserId): string {
  return `hither-answers-${userId}`
}

/** What this tab is sending at the hand of the person who did it, and so not from the queue. */
export const inHand = new Set<string>()

export function discardWaiting(ownerId: UserId, clientId: string): Promise<void> {
  return waitingPings.edit(ownerId, (pings) => without(pings, clientId))
}

const none: readonly WaitingPing[] = []

/** In the order of writing. */
export function useWaitingPings(): readonly WaitingPing[] {
  return useSyncExternalStore(waitingPings.subscribe, shownPings)
}

/** The answer to a ping that is yet to be sent. */
export function useWaitingAnswer(pingId: PingId): WaitingAnswer | undefined {
  return useSyncExternalStore(waitingAnswers.subscribe, () =>
    waitingAnswers.items().find(({ client_id, ping_id }) => ping_id === pingId && !inHand.has(client_id)),
  )
}

let shown: { of: readonly WaitingPing[]; inHand: string; pings: readonly WaitingPing[] } | null = null

/** The server's own show instead of those that it has. */
function shownPings(): readonly WaitingPing[] {
  const of = waitingPings.items()
  if (of.length === 0) return none
  const held = [...inHand].join()
  if (shown?.of !== of || shown.inHand !== held) {
    const pings = of.filter(({ client_id, made }) => made === null && !inHand.has(client_id))
    shown = { of, inHand: held, pings }
  }
  return shown.pings
}
