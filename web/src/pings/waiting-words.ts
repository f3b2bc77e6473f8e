import { type DurationMinutes, pingLimits } from '@hither/contract/pings.ts'
import { createStrings, waitingStrings } from './strings.ts'
import { shortTime } from './times.ts'
import { type Standing, standingOf, type WaitingPing } from './waiting.rules.ts'

/** What is the matter with a pin that is not sent yet, and when it would begin. */
export function waitingWords(ping: WaitingPing, nowMs: number): { state: string; time: string | null } {
  switch (standingOf(ping, nowMs)) {
    case 'refused':
      return { state: waitingStrings.refused(ping.refusal ?? ''), time: null }
    case 'late':
      return { state: waitingStrings.late, time: null }
    case 'waiting':
    case 'made':
      return { state: waitingStrings.waiting, time: timeWords(ping, nowMs) }
  }
}

/** Beside the number of pins that stand: "1 waiting to be sent, 2 not sent". Null where there are none. */
export function countWords(pings: readonly WaitingPing[], nowMs: number): string | null {
  const count = (wanted: Standing[]) => pings.filter((ping) => wanted.includes(standingOf(ping, nowMs))).length
  const [waiting, unsent] = [count(['waiting']), count(['late', 'refused'])]
  const words = [waiting > 0 && waitingStrings.count(waiting), unsent > 0 && waitingStrings.unsent(unsent)]
  return words.filter(Boolean).join(', ') || null
}

function timeWords({ input }: WaitingPing, nowMs: number): string {
  if (input.activates_at) return waitingStrings.scheduled(shortTime(input.activates_at, nowMs))
  const minutes: DurationMinutes = input.duration_minutes ?? pingLimits.durationDefaultMinutes
  return waitingStrings.startsThen(createStrings.durations[minutes])
}
