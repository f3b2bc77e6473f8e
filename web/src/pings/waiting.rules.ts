import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { pingLimits, type ResponseType } from '@hither/contract/pings.ts'
import { type NewPing } from './ping-shapes.ts'

/** A pin that has not left this device yet. `client_id` makes the server take it once, however often it is sent. */
export interface WaitingPing {
  client_id: string
  /** When it was to be dropped, in milliseconds of this device. */
  written_at: number
  input: NewPing
  image: Blob | null
  wants_chat: boolean
  /** Why the server refused it. */
  refusal: string | null
  /** The server has it; its chat or its picture may be missing still. */
  made: { id: PingId; name: string; recipient_ids: UserId[] } | null
}

/** An answer that has not left this device yet; null takes it back. Of several to one ping the last one counts. */
export interface WaitingAnswer {
  client_id: string
  ping_id: PingId
  ping_name: string
  response_type: ResponseType | null
}

/** `late`: its time would have passed by now. It is not sent any more, but offered. */
export type Standing = 'waiting' | 'late' | 'refused' | 'made'

export function standingOf(ping: WaitingPing, nowMs: number): Standing {
  if (ping.made !== null) return 'made'
  if (ping.refusal !== null) return 'refused'
  return nowMs >= endOfUse(ping) ? 'late' : 'waiting'
}

/** What counts from when it is sent may wait as long as it lasts; what has a date of its own, until then. */
function endOfUse({ input, written_at }: WaitingPing): number {
  if (input.activates_at) return Date.parse(input.activates_at)
  return written_at + (input.duration_minutes ?? pingLimits.durationDefaultMinutes) * 60_000
}

/** The next to be sent: not what `inHand` says is being sent already. */
export function nextPing(
  pings: readonly WaitingPing[],
  nowMs: number,
  inHand: ReadonlySet<string>,
): WaitingPing | undefined {
  return pings.find((ping) => !inHand.has(ping.client_id) && ['waiting', 'made'].includes(standingOf(ping, nowMs)))
}

export function nextAnswer(answers: readonly WaitingAnswer[], inHand: ReadonlySet<string>): WaitingAnswer | undefined {
  return answers.find(({ client_id }) => !inHand.has(client_id))
}

export function withPing(pings: readonly WaitingPing[], ping: WaitingPing): readonly WaitingPing[] {
  return [...pings.filter(({ client_id }) => client_id !== ping.client_id), ping]
}

/** In its old place, and only where it still is: somebody may have discarded it meanwhile. */
export function withChangedPing(
  pings: readonly WaitingPing[],
  clientId: string,
  change: Partial<WaitingPing>,
): readonly WaitingPing[] {
  return pings.map((ping) => (ping.client_id === clientId ? { ...ping, ...change } : ping))
}

/** To be dropped from now on, as another pin than the one before, and at once where its date has passed. */
export function withPingAgain(
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

export function withAnswer(answers: readonly WaitingAnswer[], answer: WaitingAnswer): readonly WaitingAnswer[] {
  return [...answers.filter(({ ping_id }) => ping_id !== answer.ping_id), answer]
}

/** Without this one; a later one to the same ping stays. */
export function without<Item extends { client_id: string }>(items: readonly Item[], clientId: string): readonly Item[] {
  return items.filter(({ client_id }) => client_id !== clientId)
}
