import { pingLimits } from '@hither/contract/runtime/pings.ts'
import { t } from '../../i18n/translate.ts'
import { dayAndTime, durationText } from '../../ui/format-time.ts'
import { type SendState, sendStateOf, type WaitingPing } from './outbox.rules.ts'

/** The state of a ping that is not sent yet, and the time at which it would start. */
export function waitingText(ping: WaitingPing, nowMs: number): { state: string; time: string | null } {
  switch (sendStateOf(ping, nowMs)) {
    case 'refused':
      return { state: t('pings.waiting.refused', { reason: ping.refusal ?? '' }), time: null }
    case 'expired':
      return { state: t('pings.waiting.late'), time: null }
    case 'waiting':
    case 'made':
      return {
        state: ping.send_after === undefined ? t('pings.waiting.waiting') : t('pings.sending'),
        time: timeText(ping, nowMs),
      }
  }
}

/** "1 waiting to be sent, 2 not sent". Null where there are none. */
export function waitingCountText(pings: readonly WaitingPing[], nowMs: number): string | null {
  const count = (wanted: SendState[]) => pings.filter((ping) => wanted.includes(sendStateOf(ping, nowMs))).length
  const [waiting, unsent] = [count(['waiting']), count(['expired', 'refused'])]
  const parts = [
    waiting > 0 && t('pings.waiting.count', { count: waiting }),
    unsent > 0 && t('pings.waiting.unsent', { count: unsent }),
  ]
  return parts.filter(Boolean).join(', ') || null
}

function timeText({ input }: WaitingPing, nowMs: number): string {
  if (input.activates_at) return t('pings.waiting.scheduled', { time: dayAndTime(input.activates_at, nowMs) })
  const minutes = input.duration_minutes ?? pingLimits.durationDefaultMinutes
  return t('pings.waiting.startsThen', { duration: durationText(minutes) })
}
