import { useServerNow } from '../api/server-time.ts'
import { exactTime, relativeTime } from './format-time.ts'

/** "5 minutes ago", updated as time passes, with the exact time as a tooltip and in `dateTime`. */
export function RelativeTime({ at }: { at: string }) {
  const nowMs = useServerNow(30_000)
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at, nowMs)}
    </time>
  )
}
