import { pingLimits } from '@hither/contract/runtime/pings.ts'
import { dayAndTime, durationText } from '../../ui/format-time.ts'
import { pingStrings, waitingStrings } from '../strings.ts'
import { type SendState, sendStateOf, type WaitingPing } from './outbox.rules.ts'

/** The state of a ping that is not sent yet, and the time at which it would start. */
export function waitingText(ping: WaitingPing, nowMs: number): { state: string; time: string | null } {
  switch (sendStateOf(ping, nowMs)) {
    case 'refused':
      return { state: waitingStrings.refused(ping.refusal ?? ''), time: null }
    case 'expired':
      return { state: waitingStrings.late, time: null }
    case 'waiting':
    case 'made':
      return {
        state: ping.send_after === undefined ? waitingStrings.waiting : pingStrings.sending,
        time: timeText(ping, nowMs),
      }
  }
}

/** "1 waiting to be sent, 2 not sent". Null where there are none. */
export function waitingCountText(pings: readonly WaitingPing[], nowMs: number): string | null {
  const count = (wanted: SendState[]) => pings.filter((ping) => wanted.includes(sendStateOf(ping, nowMs))).length
  const [waiting, unsent] = [count(['waiting']), count(['expired', 'refused'])]
  const parts = [waiting > 0 && waitingStrings.count(waiting), unsent > 0 && waitingStrings.unsent(unsent)]
  return parts.filter(Boolean).join(', ') || null
}

function timeText({ input }: WaitingPing, nowMs: number): string {
  if (input.activates_at) return waitingStrings.scheduled(dayAndTime(input.activates_at, nowMs))
  const minutes = input.duration_minutes ?? pingLimits.durationDefaultMinutes
  return waitingStrings.startsThen(durationText(minutes))
}
