import { useServerTime } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { durationText, exactTime, remainingText, shortTime } from '../../ui/format-time.ts'
import { minutesLeft, statusAt } from '../pings.rules.ts'

interface Props {
  ping: { created_at: string; activates_at: string | null; expires_at: string; canceled_at?: string | null }
  wording?: 'left' | 'remaining'
}

/** "24 min left", counting down by the server's clock, with the exact end as a tooltip. */
export function PingTime({ ping, wording = 'left' }: Props) {
  const isPending = useServerTime(1000, (nowMs) => statusAt(ping, nowMs) === 'pending')
  const words = useServerTime(1000, (nowMs) => wordsAt(ping, wording, nowMs))
  const at = isPending ? (ping.activates_at ?? ping.created_at) : ping.expires_at
  return (
    <time dateTime={at} title={exactTime(at)}>
      {words}
    </time>
  )
}

function wordsAt(ping: Props['ping'], wording: Props['wording'], nowMs: number): string {
  switch (statusAt(ping, nowMs)) {
    case 'pending':
      return t('pings.activates', { time: shortTime(ping.activates_at ?? ping.created_at, nowMs) })
    case 'active': {
      const minutes = minutesLeft(ping, nowMs)
      return wording === 'left' ? t('pings.left', { duration: durationText(minutes) }) : remainingText(minutes)
    }
    case 'expired':
      return ping.canceled_at ? t('pings.canceled') : t('pings.status.expired')
  }
}
