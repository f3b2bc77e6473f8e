import { useServerTime } from '../api/server-time.ts'
import { exactTime } from '../ui/time-words.ts'
import { leftText, minutesLeft, remainingText, statusAt } from './pings.rules.ts'
import { pingStrings } from './strings.ts'
import { shortTime } from './times.ts'

interface Props {
  ping: { created_at: string; activates_at: string | null; expires_at: string }
  wording?: 'left' | 'remaining'
}

/** "24 min left", counting down by the server's clock, with the exact end on hover. */
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
      return pingStrings.activates(shortTime(ping.activates_at ?? ping.created_at, nowMs))
    case 'active': {
      const minutes = minutesLeft(ping, nowMs)
      return wording === 'left' ? leftText(minutes) : remainingText(minutes)
    }
    case 'expired':
      return pingStrings.status.expired
  }
}
