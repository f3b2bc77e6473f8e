import type { PingId } from '@hither/contract/ids.ts'
import { tripLimits } from '@hither/contract/runtime/trips.ts'
import type { Trip } from '@hither/contract/trips.ts'
import type { TravelMode } from './estimates.rules.ts'

// A start, a change or a stop of a trip that was made without a network. `nowMs` is the time of this device, because only
// differences of times count, and the time of the server is unknown after a start without a network.

const minuteMs = 60_000
/** How long a start or a change waits for the network. */
const waitMaxMs = 2 * minuteMs

/** `arrivesMs`: the arrival that the person chose; `atMs`: when they chose it; `mode`: see `TripDecision`. */
type UnsentDecision =
  | {
      readonly kind: 'share'
      readonly arrivesMs: number
      readonly atMs: number
      readonly mode?: TravelMode | undefined
    }
  | { readonly kind: 'stop' }

/** At most one waits for each pin. `before`: the trip as it was, which is shown again if the decision is dropped. */
export type UnsentTrip = UnsentDecision & {
  readonly client_id: string
  readonly ping_id: PingId
  readonly before: Trip | null
}

export function unsentShare(
  { minutes, mode }: { minutes: number; mode?: TravelMode | undefined },
  nowMs: number,
): UnsentDecision {
  return { kind: 'share', arrivesMs: nowMs + minutes * minuteMs, atMs: nowMs, ...(mode && { mode }) }
}

/**
 * Adds a decision. It replaces an earlier one about the same pin: only the latest is sent, and a stop removes a start. The trip
 * from before the earlier one is the last that the server knows.
 */
export function withUnsent(unsent: readonly UnsentTrip[], added: UnsentTrip): readonly UnsentTrip[] {
  const earlier = unsent.find(({ ping_id }) => ping_id === added.ping_id)
  return [...unsent.filter((one) => one !== earlier), { ...added, before: earlier ? earlier.before : added.before }]
}

/** What to do with a waiting decision. `dropped`: it has waited for too long, and a message says that it was not shared. */
type NextStep =
  | { readonly kind: 'share'; readonly eta_minutes: number; readonly mode?: TravelMode | undefined }
  | { readonly kind: 'stop' }
  | { readonly kind: 'dropped' }

/** A stop is sent however long it has waited. The minutes of a start count from now. */
export function nextStep(unsent: UnsentDecision, nowMs: number): NextStep {
  if (unsent.kind === 'stop') return { kind: 'stop' }
  if (nowMs - unsent.atMs > waitMaxMs) return { kind: 'dropped' }
  const minutes = Math.round((unsent.arrivesMs - nowMs) / minuteMs)
  const eta_minutes = Math.min(tripLimits.etaMaxMinutes, Math.max(tripLimits.etaMinMinutes, minutes))
  return { kind: 'share', eta_minutes, ...(unsent.mode && { mode: unsent.mode }) }
}

/** How long it takes until the next decision is dropped; null if none will be. */
export function msUntilDrop(unsent: readonly UnsentDecision[], nowMs: number): number | null {
  const ends = unsent.flatMap((one) => (one.kind === 'share' ? [one.atMs + waitMaxMs + 1] : []))
  return ends.length === 0 ? null : Math.max(0, Math.min(...ends) - nowMs)
}
