import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { ResponseType } from '@hither/contract/pings.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import type { NewPing } from '../ping-shapes.ts'

/** A ping that is not sent yet. Sending it again is safe: the server creates one ping per `client_id`. */
export interface WaitingPing {
  client_id: string
  /** When the user created it, in milliseconds of this device's clock. */
  written_at: number
  /**
   * The end of the undo period of a one-tap ping, in milliseconds of this device's clock. Removed when the first attempt to send
   * the ping fails.
   */
  send_after?: number | undefined
  /** The button of a one-tap ping. */
  button?: string
  input: NewPing
  image: Blob | null
  wants_chat: boolean
  /** Why the server refused it. */
  refusal: string | null
  /** Set once the server has created it; its chat or its picture may still be missing. */
  made: { id: PingId; name: string; recipient_ids: UserId[] } | null
}

/** The button of the quick pin. Its pings have nothing that the user has entered. */
export const quickButton = 'quick'

/** A response that is not sent yet; null removes it. The last response to a ping wins. */
export interface WaitingResponse {
  client_id: string
  ping_id: PingId
  ping_name: string
  response_type: ResponseType | null
  /** The revision of the ping that the user saw. A response of an earlier version of the app has none. */
  revision?: number | undefined
}

/** `expired`: it would already have expired. It is not sent any more; the user can edit or discard it. */
export type SendState = 'waiting' | 'expired' | 'refused' | 'made'

export function sendStateOf(ping: WaitingPing, nowMs: number): SendState {
  if (ping.made !== null) return 'made'
  if (ping.refusal !== null) return 'refused'
  return nowMs >= sendDeadline(ping) ? 'expired' : 'waiting'
}

/** A scheduled ping can be sent until it starts, any other until its duration has passed since it was created. */
function sendDeadline({ input, written_at }: WaitingPing): number {
  if (input.activates_at) return Date.parse(input.activates_at)
  return written_at + (input.duration_minutes ?? pingLimits.durationDefaultMinutes) * 60_000
}

/** Returns the next ping to send. Skips those that can be undone, and those that `sendingIds` names, because they are being
 * sent directly. */
export function nextPing(
  pings: readonly WaitingPing[],
  nowMs: number,
  sendingIds: ReadonlySet<string>,
): WaitingPing | undefined {
  return pings.find(
    (ping) =>
      !sendingIds.has(ping.client_id) &&
      (ping.send_after ?? 0) <= nowMs &&
      ['waiting', 'made'].includes(sendStateOf(ping, nowMs)),
  )
}

export function nextResponse(
  answers: readonly WaitingResponse[],
  sendingIds: ReadonlySet<string>,
): WaitingResponse | undefined {
  return answers.find(({ client_id }) => !sendingIds.has(client_id))
}

export function withPing(pings: readonly WaitingPing[], ping: WaitingPing): readonly WaitingPing[] {
  return [...pings.filter(({ client_id }) => client_id !== ping.client_id), ping]
}

/** Changes a ping in its place. Does nothing if the user has discarded it. */
export function withChangedPing(
  pings: readonly WaitingPing[],
  clientId: string,
  change: Partial<WaitingPing>,
): readonly WaitingPing[] {
  return pings.map((ping) => (ping.client_id === clientId ? { ...ping, ...change } : ping))
}

/**
 * Returns the ping as a new one that is created now, with a new `client_id`. It starts at once if its scheduled start
 * has passed.
 */
export function withRetriedPing(
  pings: readonly WaitingPing[],
  clientId: string,
  again: { client_id: string; nowMs: number },
): readonly WaitingPing[] {
  return pings.map((ping) => {
    if (ping.client_id !== clientId) return ping
    const { activates_at, ...input } = ping.input
    const isAhead = typeof activates_at === 'string' && Date.parse(activates_at) > again.nowMs
    return {
      ...ping,
      client_id: again.client_id,
      written_at: again.nowMs,
      refusal: null,
      input: isAhead ? ping.input : input,
    }
  })
}

export function withWaitingResponse(
  answers: readonly WaitingResponse[],
  answer: WaitingResponse,
): readonly WaitingResponse[] {
  return [...answers.filter(({ ping_id }) => ping_id !== answer.ping_id), answer]
}

/** Removes one item. A later item for the same ping stays. */
export function without<Item extends { client_id: string }>(items: readonly Item[], clientId: string): readonly Item[] {
  return items.filter(({ client_id }) => client_id !== clientId)
}
