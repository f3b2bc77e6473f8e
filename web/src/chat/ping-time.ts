import { clockTime } from '../ui/time-words.ts'
import { conversationStrings } from './strings.ts'

interface Times {
  activates_at: string | null
  expires_at: string
}

const minuteMs = 60_000

/** `1h 5m remaining`, `24m remaining`; when it starts, or that it is over. A started minute counts. */
export function timeLeft({ activates_at, expires_at }: Times, nowMs: number): string {
  if (activates_at !== null && Date.parse(activates_at) > nowMs) {
    return conversationStrings.pinLater(clockTime(activates_at))
  }
  const minutes = Math.ceil((Date.parse(expires_at) - nowMs) / minuteMs)
  return minutes <= 0
    ? conversationStrings.pinOver
    : conversationStrings.pinLeft(Math.floor(minutes / 60), minutes % 60)
}
