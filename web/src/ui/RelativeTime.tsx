import { useServerNow } from '../api/server-time.ts'
import { exactTime, relativeTime } from './time-words.ts'

/** "5 minutes ago", kept true, with the exact time on hover and for machines. */
export function RelativeTime({ at }: { at: string }) {
  const nowMs = useServerNow(30_000)
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(Date.parse(at), nowMs)}
    </time>
  )
}
