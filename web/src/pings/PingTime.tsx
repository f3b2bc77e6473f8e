import { useServerNow } from '../api/server-time.ts'
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
  const nowMs = useServerNow(1000)
  switch (statusAt(ping, nowMs)) {
    case 'pending': {
      const at = ping.activates_at ?? ping.created_at
      return (
        <time dateTime={at} title={exactTime(at)}>
          {pingStrings.activates(shortTime(at, nowMs))}
        </time>
      )
    }
    case 'active': {
      const minutes = minutesLeft(ping, nowMs)
      return (
        <time dateTime={ping.expires_at} title={exactTime(ping.expires_at)}>
          {wording === 'left' ? leftText(minutes) : remainingText(minutes)}
        </time>
      )
    }
    case 'expired':
      return (
        <time dateTime={ping.expires_at} title={exactTime(ping.expires_at)}>
          {pingStrings.status.expired}
        </time>
      )
  }
}
